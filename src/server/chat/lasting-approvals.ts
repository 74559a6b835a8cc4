import { DomainError } from "@/contract/domain-error";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { matchesPattern } from "@/lib/command-pattern";
import { type Actor, actorId, type ServerContext } from "@/server/context";
import type { RuleScope } from "@/server/db/chats/approval-rule-reads";
import { insertApprovalRules } from "@/server/db/chats/approval-rule-writes";
import type { ChatRow, OpenCallRow } from "@/server/db/chats/rows";
import { ownedBy, toViewer } from "@/server/db/chats/viewer";
import type { Transaction } from "@/server/db/connection/database";
import { listServerTools } from "@/server/settings/list-tools";
import { readPatternedScope } from "@/server/tools/approval-scope";
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
  if (credential.type === "session" || credential.scope === "admin") return;
  if (decisions.every(({ scope }) => scope !== "tool")) return;
  throw new DomainError(
    "forbidden",
    `A rule for all chats needs a session or an API key with the scope "admin"; this key has "${credential.scope}". ` +
      'For a rule for this chat alone, give the decision the scope "chat".',
    { shouldRetry: false },
  );
};

/** The texts that patterns match, by the kinds and names of their tools. */
export type PatternKeys = ReadonlyMap<string, string>;

const toKey = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`;

/** Reads which tools take patterns. Runs before the chats are locked, as sources of tools may take long. */
export const findPatternKeys = async (
  ctx: ServerContext,
  decisions: readonly Lasting[],
): Promise<PatternKeys> => {
  if (decisions.every(({ pattern }) => pattern === undefined)) return new Map();
  const tools = await listServerTools(ctx);
  return new Map(
    tools.flatMap((tool): [string, string][] =>
      tool.approvalPattern === undefined ? [] : [[toKey(tool), tool.approvalPattern]],
    ),
  );
};

type LastingContext = {
  keys: PatternKeys;
  open: readonly OpenCallRow[];
  edited: ReadonlyMap<string, EditedCall>;
};

/**
 * Checks the patterns of decisions on a locked chat.
 *
 * @throws {DomainError} `invalid` for a pattern that the tool does not take, or that does not match the approved call.
 */
export const requirePatterns = (
  entries: readonly (Lasting & { index: number })[],
  context: LastingContext,
): void => {
  const errors = entries.flatMap(({ index, ...entry }): FieldError[] => {
    const message = entry.pattern === undefined ? undefined : findMistake(entry, context);
    return message === undefined ? [] : [{ pointer: `/decisions/${index}/pattern`, message }];
  });
  if (errors.length === 0) return;
  throw new DomainError("invalid", "Some patterns do not fit the calls that they are for.", {
    errors,
  });
};

const findMistake = (entry: Lasting, context: LastingContext): string | undefined => {
  const { toolName, scope, patternKey } = readApproved(entry, context);
  const patterned = readPatternedScope(scope, patternKey);
  if (!patterned) return `cannot be given for this call of "${toolName}"`;
  return matchesPattern(entry.pattern ?? "", patterned.text)
    ? undefined
    : "does not match the call that is approved";
};

/** What is approved: the call as the person has made it. */
const readApproved = ({ toolCallId }: Lasting, { keys, open, edited }: LastingContext) => {
  const call = open.find((each) => each.toolCallId === toolCallId);
  if (!call) throw new Error(`the call "${toolCallId}" was decided without being open`);
  const { toolName, kind } = call;
  const { approvalScope: scope } = edited.get(toolCallId) ?? call;
  return { toolName, scope, patternKey: keys.get(toKey({ kind, name: toolName })) };
};

/** Stores the rules that approvals of a locked chat make; those for a chat belong to the locked root chat. */
export const writeRules = async (
  tx: Transaction,
  ctx: ServerContext,
  { chat, entries, ...context }: LastingContext & { chat: ChatRow; entries: readonly Lasting[] },
): Promise<void> => {
  const lasting = entries.filter(({ scope }) => scope === "chat" || scope === "tool");
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
