import { Alert } from "@/components/ui/alert";
import { Disclosure } from "@/components/ui/disclosure";
import { Markdown } from "@/components/ui/markdown";
import type { ToolCallView } from "@/contract/chat-view";
import type { Artifact } from "@/contract/part";
import { isRunByClient } from "@/contract/run-by-client";
import { toCardState } from "./card-state";
import { formatJson } from "./format-json";
import { TerminalOutput } from "./terminal-output";
import { TextBlock } from "./text-block";

/** Shown when a call has ended without an output. */
const WITHOUT_OUTPUT = {
  cancelled: "This call was cancelled before it had an outcome.",
  timed_out: "No answer came before the deadline.",
  denied: "This call was not approved.",
  error: "The call failed and gave no reason.",
} as const;

/** Shows a call's live output while it runs, then its text for the person, its output or its error. */
export const Outcome = ({ part }: { part: ToolCallView }) => {
  const forUser = part.silent === true ? undefined : part.for_user;
  if (isHidden(part)) {
    return <p className="text-sm text-muted">The output of this recipe is for the model only.</p>;
  }
  return (
    <>
      {part.live_output !== undefined && part.completed_at === undefined && (
        <TextBlock
          label={part.live_output.phase ?? "Output so far"}
          text={part.live_output.text}
          fileName={`${part.tool_name}.txt`}
        />
      )}
      {forUser !== undefined && part.kind !== "recipe" && <ForUser text={forUser} />}
      {forUser !== undefined && part.kind === "recipe" && (
        <TerminalOutput command={part.tool_name} text={forUser} isScreen={false} isLive={false} />
      )}
      <Output part={part} folded={forUser !== undefined} />
      <AnsweredBy part={part} />
    </>
  );
};

/** A recipe can hide its output; that it failed is seen all the same. */
const isHidden = ({ kind, silent, completed_at: at }: ToolCallView): boolean =>
  kind === "recipe" && silent === true && at !== undefined;

const ForUser = ({ text }: { text: string }) => (
  <div
    role="group"
    aria-label="Result"
    tabIndex={0}
    className="max-h-96 overflow-y-auto -outline-offset-2"
  >
    <Markdown text={text} isStreaming={false} />
  </div>
);

const Output = ({ part, folded }: { part: ToolCallView; folded: boolean }) => {
  const { output } = part;
  const state = toCardState(part);
  const failed = state in WITHOUT_OUTPUT;
  const isBlank = typeof output === "string" && output.trim() === "";
  if (output === undefined || (failed && isBlank)) {
    const sentence = WITHOUT_OUTPUT[state as keyof typeof WITHOUT_OUTPUT];
    return failed ? <p className="text-sm text-muted">{sentence}</p> : null;
  }
  if (failed && typeof output === "string" && output.length <= 2_000) {
    return (
      <Alert tone={state === "error" ? "danger" : "warning"}>
        <p className="whitespace-pre-wrap">{output}</p>
      </Alert>
    );
  }
  const block = (
    <TextBlock
      label={state === "error" ? "Error" : "Output"}
      text={outputText(output)}
      fileName={`${part.tool_name}.txt`}
      whole={findWhole(part)}
    />
  );
  return folded ? <Disclosure summary="Details">{block}</Disclosure> : block;
};

/** Finds the file with the whole of an output that the server has cut, which names it. */
const findWhole = ({ output, artifacts = [] }: ToolCallView): Artifact | undefined =>
  typeof output === "string"
    ? artifacts.find(({ id }) => output.includes(`the whole is kept as artifact ${id}`))
    : undefined;

/** Returns text unchanged, but an empty text in quotes, so that it is visible as an answer. */
const outputText = (output: unknown): string =>
  typeof output === "string" && output !== "" ? output : formatJson(output);

/** Says by whom and when a dynamic call was answered. People who can see a chat are its owner. */
const AnsweredBy = ({ part }: { part: ToolCallView }) => {
  const { kind, state, resolved_by: by, completed_at: at } = part;
  const hasEnded = state === "completed" || state === "error";
  if (!isRunByClient(kind) || !hasEnded || by === undefined || by === "worker") return null;
  return (
    <p className="text-note text-muted">
      {by.startsWith("api_key:") ? "Answered by a program with an API key" : "Answered by you"}
      {at !== undefined && <AnswerTime at={at} />}
    </p>
  );
};

const AnswerTime = ({ at }: { at: string }) => (
  <>
    {", "}
    <time dateTime={at}>{formatDateTime(at)}</time>
  </>
);

const formatDateTime = (iso: string): string =>
  new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
