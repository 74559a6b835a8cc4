import { DomainError } from "@/contract/domain-error";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { matchesPattern } from "@/lib/command-pattern";
import { type Actor, actorId, type ServerContext } from "@/server/context";
import { hasScope, listScopes } from "@/server/credential-rights";
import type { RuleScope } from "@/server/db/chats/approval-rule-reads";
import { insertApprovalRules } from "@/server/db/chats/approval-rule-writes";
import type { ChatRow, OpenCallRow } from "@/server/db/chats/rows";
import { ownedBy, toViewer } from "@/server/db/chats/viewer";
import type { Transaction } from "@/server/db/connection/database";
import { listServerTools } from "@/server/settings/list-tools";
import { readPatternedScope } from "@/server/tools/approval-scope";
import type { Tool } from "@/server/tools/tool";
import type { EditedCall } from "./edited-calls";

/** What a decision says of later calls. */
export type Lasting = {
  toolCallId: string;
  /** `chat` approves later calls in the whole family of the chat too, `tool` in all chats of the person. */
  scope?: "call" | "chat" | "tool" | undefined;
  /** What the command of the later calls must match, instead of being the same. */
  pattern?: string | undefined;
};

/**
 * Checks that the caller may make the rules of decisions. One for all chats is a lasting permission of the person, which
 * neither ends with the key that made it nor belongs to the chat of the request, so it is a setting.
 *
 * @throws {DomainError} `forbidden` for a key that may not change settings.
 */
export const requireRuleRight = ({ credential }: Actor, decisions: readonly Lasting[]): void => {
  if (hasScope(credential, "admin")) return;
  if (decisions.every(({ scope }) => scope !== "tool")) return;
  throw new DomainError(
    "forbidden",
    `A rule for all chats needs a session or an API key with the scope "admin"; this key has ${listScopes(credential)}. ` +
      'For a rule for this chat alone, give the decision the scope "chat".',
    { shouldRetry: false },
  );
};

/** What tools say of lasting approvals, by their kinds and names. */
export type RuleTools = ReadonlyMap<string, Pick<Tool, "approvalPattern" | "asksEachTime">>;

const toKey = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`;

const isLasting = ({ scope }: Lasting): boolean => scope === "chat" || scope === "tool";

/** Reads which tools take rules and patterns. Runs before the chats are locked, as sources of tools may take long. */
export const findRuleTools = async (
  ctx: ServerContext,
  decisions: readonly Lasting[],
): Promise<RuleTools> => {
  if (!decisions.some(isLasting)) return new Map();
  const tools = await listServerTools(ctx);
  return new Map(tools.map((tool) => [toKey(tool), tool]));
};

type LastingContext = {
  tools: RuleTools;
  open: readonly OpenCallRow[];
  edited: ReadonlyMap<string, EditedCall>;
};

/**
 * Checks the rules of decisions on a locked chat.
 *
 * @throws {DomainError} `invalid` for a rule or pattern that the tool does not take, or that does not match the approved call.
 */
export const requireRules = (
  entries: readonly (Lasting & { index: number })[],
  context: LastingContext,
): void => {
  const errors = entries.flatMap(({ index, ...entry }): FieldError[] => {
    const [field, message] = findMistake(entry, context) ?? [];
    return message === undefined ? [] : [{ pointer: `/decisions/${index}/${field}`, message }];
  });
  if (errors.length === 0) return;
  throw new DomainError("invalid", "Some rules do not fit the calls that they are for.", {
    errors,
  });
};

const findMistake = (
  entry: Lasting,
  context: LastingContext,
): ["scope" | "pattern", string] | undefined => {
  if (!isLasting(entry)) return undefined;
  const { toolName, scope, patternKey, asksEachTime } = readApproved(entry, context);
  if (asksEachTime) {
    return [
      "scope",
      `cannot be given for "${toolName}", whose commands run without a sandbox: approve each call`,
    ];
  }
  if (entry.pattern === undefined) return undefined;
  const patterned = readPatternedScope(scope, patternKey);
  if (!patterned) return ["pattern", `cannot be given for this call of "${toolName}"`];
  return matchesPattern(entry.pattern, patterned.text)
    ? undefined
    : ["pattern", "does not match the call that is approved"];
};

/** What is approved: the call as the person has made it. */
const readApproved = ({ toolCallId }: Lasting, { tools, open, edited }: LastingContext) => {
  const call = open.find((each) => each.toolCallId === toolCallId);
  if (!call) throw new Error(`the call "${toolCallId}" was decided without being open`);
  const { toolName, kind } = call;
  const { approvalScope: scope } = edited.get(toolCallId) ?? call;
  const { approvalPattern: patternKey, asksEachTime = false } =
    tools.get(toKey({ kind, name: toolName })) ?? {};
  return { toolName, scope, patternKey, asksEachTime };
};

/** Stores the rules that approvals of a locked chat make; those for a chat belong to the locked root chat. */
export const writeRules = async (
  tx: Transaction,
  ctx: ServerContext,
  { chat, entries, ...context }: LastingContext & { chat: ChatRow; entries: readonly Lasting[] },
): Promise<void> => {
  const lasting = entries.filter(isLasting);
  const rules = lasting.map((entry) => {
    const { toolName, scope, patternKey } = readApproved(entry, context);
    const place = entry.scope === "chat" ? { chatId: chat.rootChatId } : ownedBy(toViewer(chat));
    return { id: ctx.newId(), toolName, place, ...toRuleScope(scope, patternKey, entry.pattern) };
  });
  if (rules.length > 0) await insertApprovalRules(tx, { createdBy: actorId(ctx.actor), rules });
};

const toRuleScope = (
  scope: JsonValue,
  patternKey: string | undefined,
  pattern: string | undefined,
): RuleScope => {
  const patterned = pattern === undefined ? undefined : readPatternedScope(scope, patternKey);
  return patterned && pattern !== undefined
    ? { scope: patterned.withPattern(pattern), pattern }
    : { scope, pattern: null };
};
