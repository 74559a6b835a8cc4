import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { checkInTime } from "./check-in-time";
import { type ToolOutcome, settle } from "./settle";
import type { BoundCall } from "./tool";
import type { ToolChat, ToolLog } from "./tool-context";
import type { Toolbox } from "./toolbox";

export type RequestedCall = {
  toolName: string;
  /** What the model sent; a string when it was no valid JSON. */
  args: JsonValue;
  /** A person said yes to this call. */
  approved: boolean;
};

/** What is to be done with a call: run it here, wait for a client, or nothing as it cannot be. */
export type PreparedCall =
  /** `needsApproval`: a person has yet to say yes. */
  | { type: "run"; toolName: string; run: BoundCall["run"]; needsApproval: boolean }
  | { type: "dynamic"; toolName: string }
  | { type: "refused"; outcome: ToolOutcome };

export type PrepareDeps = { toolbox: Toolbox; chat: ToolChat; log: Pick<ToolLog, "error"> };

/**
 * Looks a call's tool up, and checks its arguments and whether it needs an approval. Runs nothing
 * and does not reject: a check that fails refuses the call, as nobody has approved it.
 */
export const prepareCall = async (
  { toolName, args, approved }: RequestedCall,
  { toolbox, chat, log }: PrepareDeps,
): Promise<PreparedCall> => {
  const tool = toolbox.find(toolName);
  if (!tool) return refused(unknownTool(toolName, toolbox));
  if (typeof args === "string") {
    return refused(`The arguments of "${toolName}" are no JSON object.`);
  }
  if (tool.kind === "dynamic") {
    const problems = checkInTime(tool.parameters as JsonObject, args);
    return problems.length > 0
      ? refused(misfit(toolName, problems))
      : { type: "dynamic", toolName };
  }
  const bound = tool.bind(args);
  if (Array.isArray(bound)) return refused(misfit(toolName, bound));
  try {
    const needsApproval = !approved && (await bound.needsApproval(chat));
    return { type: "run", toolName, run: bound.run, needsApproval };
  } catch (error) {
    log.error({ err: error, tool: toolName }, "approval could not be checked");
    return refused(`"${toolName}" was not run: the server could not check whether it is approved.`);
  }
};

const refused = (message: string): PreparedCall => ({
  type: "refused",
  outcome: settle({ type: "refused", message }),
});

const unknownTool = (name: string, { definitions }: Toolbox): string => {
  const offered = definitions.map((definition) => definition.name).join(", ");
  const those = offered === "" ? "No tools are offered." : `The tools are: ${offered}.`;
  return name.trim() === ""
    ? `The call names no tool. ${those}`
    : `There is no tool "${name}". ${those}`;
};

const misfit = (name: string, problems: FieldError[]): string =>
  [
    `The arguments do not fit "${name}":`,
    ...problems.slice(0, 20).map(({ pointer, message }) => `- ${pointer || "/"}: ${message}`),
  ].join("\n");
