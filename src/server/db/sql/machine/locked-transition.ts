import type { ChatError } from "@/contract/chat-error";
import type { ChatDynamicTool } from "@/contract/dynamic-tool";
import type { UsageKind, UsageTotals } from "@/contract/usage";
import type { SentChoice } from "@/lib/tool-choice";
import type { Queryable } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { ChatRow, ModelUse, StoredCompaction } from "@/server/db/chats/rows";
import { CHAT_EVENTS, type ChatEvent } from "@/server/machine/table/transition-table";
import { changeChat, transitionStatement } from "@/server/db/sql/rows/chat-row";
import type { NamedStatement } from "@/server/db/sql/rows/named-statement";
import { addUses, type UseValues, useValues } from "@/server/db/sql/writes/usage";

/** What the effects of a transition have written for a locked chat, in the same transaction. */
export type LockedChange = {
  historyChanged: boolean;
  queueChanged: boolean;
  /** How many messages joined the queue, less those that left it. */
  queueGrowth: number;
  /** How many messages entered the history. */
  newMessages: number;
  /** How many reports of tasks wait for the history, less those that enter it. */
  reportGrowth: number;
  /** How many branches can be chosen then; null if none was replaced or chosen. */
  alternativeCount?: number | null;
  /** The turn that begins, or that is chosen, or null. */
  newTurnId: string | null;
  /** The model that the chat takes with a message, or null. */
  modelId: string | null;
  /** The tools and groups that it takes with a message; undefined for those that it has. */
  choice: SentChoice | undefined;
  /** All dynamic tools of the chat, if it takes some with a message. */
  dynamicTools?: readonly ChatDynamicTool[] | undefined;
  /** Why the chat becomes `error`; null keeps the reason that it has. */
  lastError: ChatError | null;
  /** Until when the chat waits from now on; null for the time that it has. */
  deadlineAt?: Date | null;
  /** The summary that a person has asked for. */
  compaction?: StoredCompaction | null;
  /** The tokens of the context, if a boundary has changed them. */
  contextTokens?: number | null;
  /** The totals of its children, if they have changed. */
  childUsage?: UsageTotals | null;
  /** Model calls that are paid, and the message that they were made for, if there is one. */
  uses?: { messageId: string | null; kind: UsageKind; uses: readonly ModelUse[] };
};

type ChangeValues = Omit<
  LockedChange,
  | "choice"
  | "dynamicTools"
  | "lastError"
  | "uses"
  | "deadlineAt"
  | "childUsage"
  | "compaction"
  | "contextTokens"
  | "alternativeCount"
> &
  UseValues & {
    chatId: string;
    toolNames: string | null;
    groupNames: string | null;
    dynamicTools: string | null;
    lastError: string | null;
    deadlineAt: Date | null;
    compaction: string | null;
    contextTokens: number | null;
    alternativeCount: number | null;
    childUsage: string | null;
    usesMessageId: string | null;
    usesKind: UsageKind;
  };

const CHILD: UsageKind = "child";
const USES = addUses("$usesMessageId::uuid", "$usesKind::text");

/** Events that are one statement of their own, without the row lock. */
const UNLOCKED = [
  ...(["delete", "acquire", "record_retry", "record_attempt", "commit_step"] as const),
  ...(["enter_action", "release", "defer", "complete_action"] as const),
] satisfies ChatEvent[];

/** An event that locks the chat, writes its effects, and then changes the row. */
export type LockedEvent = Exclude<ChatEvent, (typeof UNLOCKED)[number]>;

const isLocked = (event: ChatEvent): event is LockedEvent =>
  !UNLOCKED.some((unlocked) => unlocked === event);

export const LOCKED_EVENTS: readonly LockedEvent[] = CHAT_EVENTS.filter(isLocked);

const createStatement = (event: LockedEvent): NamedStatement<ChangeValues> =>
  transitionStatement({
    name: `locked-${event}`,
    event,
    where: (guard) => `id = $chatId::uuid AND ${guard}`,
    change: {
      historyChanged: "$historyChanged::boolean",
      queueChanged: "$queueChanged::boolean",
      queueGrowth: "$queueGrowth::int",
      newMessages: "$newMessages::int",
      newTurnId: "$newTurnId::uuid",
      reportGrowth: "$reportGrowth::int",
      lastError: "$lastError::jsonb",
      deadlineAt: "$deadlineAt::timestamptz",
      compaction: "$compaction::jsonb",
      assign: {
        alternative_count: "coalesce($alternativeCount::int, alternative_count)",
        model_id: "coalesce($modelId::uuid, model_id)",
        tool_names: "nullif(coalesce($toolNames::jsonb, tool_names), 'null'::jsonb)",
        group_names: "coalesce($groupNames::jsonb, group_names)",
        dynamic_tools: "coalesce($dynamicTools::json, dynamic_tools)",
        usage: `CASE WHEN $childUsage::jsonb IS NULL THEN ${USES.totals}
          ELSE jsonb_set(${USES.totals}, '{${CHILD}}', $childUsage::jsonb) END`,
        context_tokens: `coalesce($contextTokens::int, ${USES.context})`,
      },
    },
    with: { u: USES.records },
  });

const STATEMENTS = Object.fromEntries(
  LOCKED_EVENTS.map((event) => [event, createStatement(event)]),
) as Record<LockedEvent, NamedStatement<ChangeValues>>;

const UNCHANGED = {
  deadlineAt: null,
  childUsage: null,
  compaction: null,
  contextTokens: null,
  alternativeCount: null,
};

/**
 * Ends the transition of a locked chat whose effects are written: the row takes what the state table says,
 * the version rises by one, and the change is announced.
 *
 * @throws {Error} when the table refuses the event: check it before the effects.
 */
export const endTransition = async (
  tx: Queryable,
  { chatId, event }: { chatId: string; event: LockedEvent },
  given: LockedChange,
): Promise<ChatRow> => {
  const { uses, choice, dynamicTools, compaction, childUsage, ...change } = {
    ...UNCHANGED,
    ...given,
  };
  const chat = await changeChat(tx, STATEMENTS[event], {
    ...change,
    chatId,
    toolNames: choice ? toJsonText(choice.tools) : null,
    groupNames: choice ? toJsonText(choice.groups) : null,
    dynamicTools: dynamicTools ? toJsonText(dynamicTools) : null,
    lastError: change.lastError && toJsonText(change.lastError),
    compaction: compaction && toJsonText(compaction),
    childUsage: childUsage && toJsonText(childUsage),
    ...toUseValues(uses),
  });
  if (!chat) throw new Error(`chat ${chatId} does not accept ${event}`);
  return chat;
};

const toUseValues = ({ messageId, kind, uses }: NonNullable<LockedChange["uses"]> = NO_USES) => ({
  usesMessageId: messageId,
  usesKind: kind,
  ...useValues(uses),
});

const NO_USES: NonNullable<LockedChange["uses"]> = { messageId: null, kind: "turn", uses: [] };
