import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { type ToolOutcome, settle } from "./settle";
import type { BoundCall } from "./tool";
import type { ToolChat, ToolLog } from "./tool-context";
import type { Toolbox } from "./toolbox";
import { validateValues } from "./validate-values";

export type RequestedCall = {
  toolCallId: string;
  toolName: string;
  /** What the model sent; a string when it was no valid JSON. */
  args: JsonValue;
  /** A person has approved this call. */
  approved: boolean;
};

/** What to do with a call: run it here, wait for a client, or refuse it. */
export type PreparedCall =
  | {
      type: "run";
      toolName: string;
      run: BoundCall["run"];
      /** A person must approve the call before it runs. */
      needsApproval: boolean;
      /** What their "always for this chat" would cover; null for every call of the tool. */
      approvalScope: JsonValue;
    }
  | { type: "dynamic"; toolName: string }
  | { type: "refused"; outcome: ToolOutcome };

/** A call for which an approval for the whole chat is looked up. */
export type ApprovableCall = { toolName: string; scope: JsonValue };

export type PrepareDeps = {
  toolbox: Toolbox;
  chat: ToolChat;
  /** Whether a person has approved such calls for the whole chat, by committed state. May reject. */
  hasApprovalRule: (call: ApprovableCall) => Promise<boolean>;
  log: Pick<ToolLog, "error">;
};

/** The calls of a step that were prepared, by their ids. */
export type PreparedCalls = ReadonlyMap<string, PreparedCall>;

/**
 * Looks the tools of a step's calls up, and checks their arguments and whether they need an approval. Runs
 * nothing and does not reject: if a check throws, its call is refused.
 */
export const prepareCalls = async (
  calls: readonly RequestedCall[],
  deps: PrepareDeps,
): Promise<PreparedCalls> => {
  const argumentErrors = await validateDynamicArguments(calls, deps);
  const prepared = calls.map(async (call): Promise<[string, PreparedCall]> => [
    call.toolCallId,
    await prepareCall(call, argumentErrors, deps),
  ]);
  return new Map(await Promise.all(prepared));
};

/** @throws {Error} when the call was not prepared, which is a bug. */
export const requirePrepared = (prepared: PreparedCalls, toolCallId: string): PreparedCall => {
  const found = prepared.get(toolCallId);
  if (!found) throw new Error(`the call "${toolCallId}" was not prepared`);
  return found;
};

const prepareCall = async (
  { toolCallId, toolName, args, approved }: RequestedCall,
  argumentErrors: ArgumentErrors,
  deps: PrepareDeps,
): Promise<PreparedCall> => {
  const { toolbox, log } = deps;
  const tool = toolbox.find(toolName);
  if (!tool) return refuse(unknownToolMessage(toolName, toolbox));
  if (typeof args === "string") {
    return refuse(`The arguments of "${toolName}" are no JSON object.`);
  }
  if (tool.kind === "dynamic") {
    const errors = argumentErrors?.get(toolCallId);
    if (!errors) return refuse(`The server could not check the arguments of "${toolName}".`);
    return errors.length > 0
      ? refuse(argumentsMessage(toolName, errors))
      : { type: "dynamic", toolName };
  }
  const bound = tool.bind(args);
  if (Array.isArray(bound)) return refuse(argumentsMessage(toolName, bound));
  try {
    const approvalScope = bound.approvalScope();
    const needsApproval =
      !approved && (await isApprovalNeeded(bound, { toolName, scope: approvalScope }, deps));
    return { type: "run", toolName, run: bound.run, needsApproval, approvalScope };
  } catch (error) {
    log.error({ err: error, tool: toolName }, "approval could not be checked");
    return refuse(`"${toolName}" was not run: the server could not check whether it is approved.`);
  }
};

const isApprovalNeeded = async (
  bound: BoundCall,
  call: ApprovableCall,
  { toolbox, chat, hasApprovalRule }: PrepareDeps,
): Promise<boolean> =>
  (toolbox.asksFirst.has(call.toolName) || (await bound.needsApproval(chat))) &&
  !(await hasApprovalRule(call));

/** By the ids of calls of dynamic tools; undefined when they could not be checked. */
type ArgumentErrors = ReadonlyMap<string, FieldError[]> | undefined;

const validateDynamicArguments = async (
  calls: readonly RequestedCall[],
  { toolbox, chat, log }: PrepareDeps,
): Promise<ArgumentErrors> => {
  const checks = calls.flatMap(({ toolCallId, toolName, args }) => {
    const tool = toolbox.find(toolName);
    if (tool?.kind !== "dynamic" || typeof args === "string") return [];
    return [{ toolCallId, schema: tool.parameters as JsonObject, value: args }];
  });
  try {
    const errors = await validateValues(checks, chat.userId);
    return new Map(checks.map(({ toolCallId }, index) => [toolCallId, errors[index] ?? []]));
  } catch (error) {
    log.error({ err: error }, "arguments could not be checked");
    return undefined;
  }
};

const refuse = (message: string): PreparedCall => ({
  type: "refused",
  outcome: settle({ type: "refused", message }),
});

const unknownToolMessage = (name: string, { definitions, withheld }: Toolbox): string => {
  const reason = withheld.get(name);
  if (reason !== undefined) return `The tool "${name}" is not offered. ${reason}`;
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
