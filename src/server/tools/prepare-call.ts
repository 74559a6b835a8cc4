import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { type Binding, bindCalls } from "./bind-calls";
import { type ToolOutcome, settle } from "./settle";
import type { BoundCall } from "./tool";
import type { ToolChat, ToolLog } from "./tool-context";
import type { Toolbox } from "./toolbox";

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
  | {
      /** For a client, which runs it. */
      type: "wait";
      toolName: string;
      needsApproval: boolean;
      approvalScope: JsonValue;
    }
  | { type: "refused"; outcome: ToolOutcome };

/** A call for which a rule is looked up. */
export type ApprovableCall = {
  toolName: string;
  scope: JsonValue;
  /** Whether no rule counts. */
  asksEachTime: boolean;
  /** The text in the scope that patterns match, if the tool has one. */
  patternKey: string | undefined;
};

export type PrepareDeps = {
  toolbox: Toolbox;
  chat: ToolChat;
  /** Whether a person has approved such calls for the whole chat or for all chats, by committed state. May reject. */
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
  const { toolbox, chat, log } = deps;
  const toBind = calls.flatMap(({ toolCallId, toolName, args }) => {
    const tool = toolbox.offered.get(toolName);
    if (!tool || typeof args === "string") return [];
    return [{ chatId: chat.chatId, toolCallId, tool, args }];
  });
  const found = await bindCalls(toBind, { userId: chat.userId, log });
  const bindings = new Map(toBind.map(({ toolCallId }, index) => [toolCallId, found[index]]));
  const prepared = calls.map(async (call): Promise<[string, PreparedCall]> => [
    call.toolCallId,
    await prepareCall(call, bindings.get(call.toolCallId), deps),
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
  binding: Binding | undefined,
  deps: PrepareDeps,
): Promise<PreparedCall> => {
  const { toolName } = call;
  if (!deps.toolbox.offered.has(toolName))
    return refuse(unknownToolMessage(toolName, deps.toolbox));
  if (!binding) return refuse(`The arguments of "${toolName}" are no JSON object.`);
  switch (binding.type) {
    case "unchecked":
      return refuse(`The server could not check the arguments of "${toolName}".`);
    case "misfit":
      return refuse(argumentsMessage(toolName, binding.errors));
    case "dynamic":
      return { type: "wait", toolName, needsApproval: false, approvalScope: null };
    case "bound":
      return prepareBound(call, binding.bound, deps);
  }
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
    const tool = deps.toolbox.offered.get(toolName);
    const {
      approvalPattern: patternKey,
      asksEachTime = false,
      definition,
    } = tool && tool.kind !== "dynamic" ? tool : {};
    const approvable = { toolName, scope: approvalScope, patternKey, asksEachTime };
    const needsApproval = !approved && (await isApprovalNeeded(bound, approvable, deps));
    const prepared = { toolName, needsApproval, approvalScope };
    return definition
      ? { type: "wait", ...prepared }
      : { type: "run", ...prepared, run: bound.run };
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
  (call.asksEachTime || !(await hasApprovalRule(call)));

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
