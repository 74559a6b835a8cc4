import * as z from "zod";
import { AgentWait } from "@/contract/agent";
import { JsonValue } from "@/contract/json";
import { Artifact } from "@/contract/part";

/** What a tool hands back: one text for the model and, where it differs, one for the person. */
export const ToolResult = z.object({
  /** What the model reads. */
  forLlm: z.string(),
  /** The outcome as data, in place of `forLlm` where a card shows more than text; JSON only. */
  value: JsonValue.optional(),
  /** What the card shows; without it the card shows `forLlm` under "details". */
  forUser: z.string().optional(),
  /** The card is collapsed and `forUser` ignored. */
  silent: z.boolean(),
  isError: z.boolean(),
  /** Files that the tool made or loaded; owned by the chat. */
  artifacts: z.array(Artifact),
  /** The person has the outcome already, so the model need not answer. */
  responseHandled: z.boolean(),
  /** The tool has left out what was too long, so the model reads only a part. */
  truncated: z.boolean().optional(),
  /** The work goes on after the call, as this task. */
  taskId: z.string().optional(),
  /** Tasks whose end this reports in full: their own reports need not come. */
  reportedTasks: z.array(z.string()).optional(),
  /** The call goes on, without a worker, until these agents have ended. */
  waitsFor: AgentWait.optional(),
  /** The cause, for logs and as the last resort for the model's text; never stored or sent. */
  error: z.unknown().optional(),
});

/** @typeParam Value the tool's output: text for the model, or data for its card. */
export type ToolResult<Value = JsonValue> = Omit<z.infer<typeof ToolResult>, "value"> & {
  value?: Value | undefined;
};

const plain = (forLlm: string): ToolResult<never> => ({
  forLlm,
  silent: false,
  isError: false,
  artifacts: [],
  responseHandled: false,
});

/** An ordinary outcome: text for the model. */
export const toolResult = (forLlm: string): ToolResult<string> => plain(forLlm);

/** For what the person need not see, such as the content of a file that was read. */
export const silentResult = (forLlm: string): ToolResult<string> => ({
  ...plain(forLlm),
  silent: true,
});

/** A failure that the model can read and act on; a tool returns it instead of throwing. */
export const errorResult = (message: string): ToolResult<never> => ({
  ...plain(message),
  isError: true,
});

/** A failure whose message the model may read. Anything else that a tool throws is a crash. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

/** Thrown after an abort by a tool whose result for the model says more than that the call was interrupted. */
export class CallCancelled extends Error {
  override readonly name = "CallCancelled";
  /** @param silent whether the person does not see the text. */
  constructor(
    message: string,
    readonly silent = false,
  ) {
    super(message);
  }
}

/** Describes what a command had written when it was stopped; nothing for one that had written nothing. */
export const describeWritten = (output: string): string =>
  output.trim() === "" ? "" : `Until then it had written:\n${output}`;

/** An outcome that is data, for tools whose card shows its fields. */
export const jsonResult = <Value>(value: Value): ToolResult<Value> => ({
  ...plain(JSON.stringify(value)),
  value,
});

/** A result with the same text for the model and the person, such as what a search has found. */
export const userResult = (text: string): ToolResult<string> => ({
  ...plain(text),
  forUser: text,
});

/** Ends a call whose outcome comes later, as the report of its task. */
export const asyncResult = (taskId: string, text: string): ToolResult<string> =>
  withTask(plain(`${text}\nThe outcome comes later, as the report of task ${taskId}.`), taskId);

/** Marks that the work of the call goes on as a task. */
export const withTask = <Value>(
  result: ToolResult<Value>,
  taskId: string | undefined,
): ToolResult<Value> => ({ ...result, ...(taskId !== undefined && { taskId }) });

/** Lets a call wait for agents, without a worker. */
export const waitResult = (wait: AgentWait): ToolResult<never> => ({
  ...plain(""),
  waitsFor: wait,
});

/** Files that the tool made or loaded. The model may deliver them later. */
export const artifactResult = (forLlm: string, artifacts: Artifact[]): ToolResult<string> => ({
  ...plain(forLlm),
  artifacts,
});

/** Marks that the person has the outcome already: when all calls of a step are so, the turn ends. */
export const withResponseHandled = <Value>(result: ToolResult<Value>): ToolResult<Value> => ({
  ...result,
  responseHandled: true,
});

/** Marks that the tool has left out what was too long, unless it has not. */
export const withTruncation = <Value>(
  result: ToolResult<Value>,
  truncated: boolean,
): ToolResult<Value> => (truncated ? { ...result, truncated } : result);

/** Marks that the result has what the report of a task would have, which then does not come. */
export const withReportedTask = <Value>(
  result: ToolResult<Value>,
  taskId: string,
): ToolResult<Value> => ({ ...result, reportedTasks: [taskId] });

/** Adds the cause for the log. Whether the call failed is the result's own, as a success may have had a mishap. */
export const withError = <Value>(result: ToolResult<Value>, error: unknown): ToolResult<Value> => ({
  ...result,
  error,
});

const HANDLED_NOTE =
  "The user already has this output in the chat. Do not deliver it again; if you answer at all, confirm it in one short sentence.";
const ARTIFACT_NOTE = "The card of this call links to these files.";
/** What the model can do with artifacts, by the tools that it takes. */
const ARTIFACT_USES = {
  deliver_file:
    'Unless the user has one already, deliver it with deliver_file {"artifact_id": "<id>"}.',
  save_artifact:
    'To work on one, put it into the workspace with save_artifact {"artifact_id": "<id>", "path": "<path>"}.',
};

type RenderedResult = Pick<ToolResult, "responseHandled" | "artifacts"> & {
  /** Whether the reader is offered a tool, which a note may name. */
  isOffered: (toolName: string) => boolean;
};

/**
 * Renders the text that the model reads of an outcome. It is rendered for each prompt and not stored, so that
 * cards and clients get the bare output. Rendering rendered text again adds nothing.
 */
export const renderForModel = (
  output: string,
  { responseHandled, artifacts, isOffered }: RenderedResult,
): string => {
  let text = output;
  if (responseHandled) text = appendOnce(text, HANDLED_NOTE);
  if (artifacts.length > 0) {
    text = appendOnce(text, `Artifacts: ${artifacts.map(artifactTag).join(" ")}`);
    const uses = Object.entries(ARTIFACT_USES).filter(([toolName]) => isOffered(toolName));
    text = appendOnce(text, [ARTIFACT_NOTE, ...uses.map(([, use]) => use)].join(" "));
  }
  return text;
};

const appendOnce = (text: string, line: string): string => {
  if (text.includes(line)) return text;
  return text === "" ? line : `${text}\n${line}`;
};

const artifactTag = ({ id, name, media_type, size }: Artifact): string =>
  `[${id} ${JSON.stringify(name)} ${media_type} ${size} bytes]`;
