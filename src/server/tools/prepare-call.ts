import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { type ToolOutcome, settle } from "./settle";
import type { BoundCall } from "./tool";
import { findExactNumbers } from "./exact-arguments";
import type { ToolChat, ToolLog } from "./tool-context";
import type { Toolbox } from "./toolbox";
import { tryValidateValues } from "./validate-values";

export type RequestedCall = {
  toolCallId: string;
  toolName: string;
  /** What the model sent; a string when it was no valid JSON. */
  args: JsonValue;
  /** A person has approved this call. */
  approved: boolean;
  /** What the person saw that "always" would cover; undefined for a call that waited for nobody. */
  approvalScope?: JsonValue;
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
  const argumentErrors = await validateBySchemas(calls, deps);
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
  call: RequestedCall,
  argumentErrors: ArgumentErrors,
  deps: PrepareDeps,
): Promise<PreparedCall> => {
  const { toolCallId, toolName, args } = call;
  const tool = deps.toolbox.offered.get(toolName);
  if (!tool) return refuse(unknownToolMessage(toolName, deps.toolbox));
  if (typeof args === "string") {
    return refuse(`The arguments of "${toolName}" are no JSON object.`);
  }
  const hasSchema = tool.kind === "dynamic" || tool.argumentsSchema !== undefined;
  const errors = hasSchema ? argumentErrors?.get(toolCallId) : [];
  if (!errors) return refuse(`The server could not check the arguments of "${toolName}".`);
  if (errors.length > 0) return refuse(argumentsMessage(toolName, errors));
  if (tool.kind === "dynamic") return { type: "dynamic", toolName };
  const exact = tool.takesExactNumbers ? [] : findExactNumbers(args);
  if (exact.length > 0) return refuse(argumentsMessage(toolName, exact));
  const bound = tool.bind(args, { chatId: deps.chat.chatId, toolCallId });
  return Array.isArray(bound)
    ? refuse(argumentsMessage(toolName, bound))
    : prepareBound(call, bound, deps);
};

const prepareBound = async (
  { toolName, approved, approvalScope: approvedScope }: RequestedCall,
  bound: BoundCall,
  deps: PrepareDeps,
): Promise<PreparedCall> => {
  try {
    const approvalScope = await bound.approvalScope();
    if (approved && hasChanged(approvalScope, approvedScope)) {
      return refuse(
        `"${toolName}" was not run: it has changed since the call was approved, and would do something else now.`,
      );
    }
    const needsApproval =
      !approved && (await isApprovalNeeded(bound, { toolName, scope: approvalScope }, deps));
    return { type: "run", toolName, run: bound.run, needsApproval, approvalScope };
  } catch (error) {
    deps.log.error({ err: error, tool: toolName }, "approval could not be checked");
    return refuse(`"${toolName}" was not run: the server could not check whether it is approved.`);
  }
};

/** By what was stored with the call. Without a scope, the person has approved its arguments. */
const hasChanged = (scope: JsonValue, approvedScope: JsonValue | undefined): boolean =>
  approvedScope !== undefined && approvedScope !== null && !isDeepStrictEqual(scope, approvedScope);

const isApprovalNeeded = async (
  bound: BoundCall,
  call: ApprovableCall,
  { toolbox, chat, hasApprovalRule }: PrepareDeps,
): Promise<boolean> =>
  (toolbox.asksFirst.has(call.toolName) || (await bound.needsApproval(chat))) &&
  !(await hasApprovalRule(call));

/** By the ids of calls whose tools have schemas from outside; undefined when they could not be checked. */
type ArgumentErrors = ReadonlyMap<string, FieldError[]> | undefined;

const validateBySchemas = async (
  calls: readonly RequestedCall[],
  { toolbox, chat, log }: PrepareDeps,
): Promise<ArgumentErrors> => {
  const checks = calls.flatMap(({ toolCallId, toolName, args }) => {
    const tool = toolbox.offered.get(toolName);
    if (!tool || typeof args === "string") return [];
    const isOurs = tool.kind !== "dynamic";
    const schema = isOurs ? tool.argumentsSchema : (tool.parameters as JsonObject);
    return schema ? [{ toolCallId, schema, value: args, isOurs }] : [];
  });
  try {
    const errors = await tryValidateValues(checks, chat.userId);
    return new Map(
      checks.flatMap(({ toolCallId, isOurs }, index): [string, FieldError[]][] => {
        // What a client runs is checked there once more; what runs here is not run unchecked.
        const found = errors[index] ?? (isOurs ? undefined : []);
        return found ? [[toolCallId, found]] : [];
      }),
    );
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
