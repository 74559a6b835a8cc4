import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { validateWithTimeout } from "./validate-with-timeout";
import { type ToolOutcome, settle } from "./settle";
import type { BoundCall } from "./tool";
import type { ToolChat, ToolLog } from "./tool-context";
import type { Toolbox } from "./toolbox";

export type RequestedCall = {
  toolName: string;
  /** What the model sent; a string when it was no valid JSON. */
  args: JsonValue;
  /** A person has approved this call. */
  approved: boolean;
};

/** What to do with a call: run it here, wait for a client, or refuse it. */
export type PreparedCall =
  /** With `needsApproval`, a person must approve the call before it runs. */
  | { type: "run"; toolName: string; run: BoundCall["run"]; needsApproval: boolean }
  | { type: "dynamic"; toolName: string }
  | { type: "refused"; outcome: ToolOutcome };

export type PrepareDeps = { toolbox: Toolbox; chat: ToolChat; log: Pick<ToolLog, "error"> };

/**
 * Looks a call's tool up, and checks its arguments and whether it needs an approval. Runs nothing
 * and does not reject: if a check throws, the call is refused, because it has no approval.
 */
export const prepareCall = async (
  { toolName, args, approved }: RequestedCall,
  { toolbox, chat, log }: PrepareDeps,
): Promise<PreparedCall> => {
  const tool = toolbox.find(toolName);
  if (!tool) return refuse(unknownToolMessage(toolName, toolbox));
  if (typeof args === "string") {
    return refuse(`The arguments of "${toolName}" are no JSON object.`);
  }
  if (tool.kind === "dynamic") {
    const errors = validateWithTimeout(tool.parameters as JsonObject, args);
    return errors.length > 0
      ? refuse(argumentsMessage(toolName, errors))
      : { type: "dynamic", toolName };
  }
  const bound = tool.bind(args);
  if (Array.isArray(bound)) return refuse(argumentsMessage(toolName, bound));
  try {
    const needsApproval = !approved && (await bound.needsApproval(chat));
    return { type: "run", toolName, run: bound.run, needsApproval };
  } catch (error) {
    log.error({ err: error, tool: toolName }, "approval could not be checked");
    return refuse(`"${toolName}" was not run: the server could not check whether it is approved.`);
  }
};

const refuse = (message: string): PreparedCall => ({
  type: "refused",
  outcome: settle({ type: "refused", message }),
});

const unknownToolMessage = (name: string, { definitions }: Toolbox): string => {
  const offered = definitions.map((definition) => definition.name).join(", ");
  const those = offered === "" ? "No tools are offered." : `The tools are: ${offered}.`;
  return name.trim() === ""
    ? `The call names no tool. ${those}`
    : `There is no tool "${name}". ${those}`;
};

const argumentsMessage = (name: string, errors: FieldError[]): string =>
  [
    `The arguments do not fit "${name}":`,
    ...errors.slice(0, 20).map(({ pointer, message }) => `- ${pointer || "/"}: ${message}`),
  ].join("\n");
