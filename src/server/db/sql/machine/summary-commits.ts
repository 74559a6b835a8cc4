import type { Queryable } from "@/server/db/connection/database";
import { fromJsonText, toJsonText } from "@/server/db/connection/nul";
import type {
  ChatRow,
  MessageRow,
  ModelUse,
  PartRow,
  StoredCompaction,
} from "@/server/db/chats/rows";
import { changeChat, type ChatAnswer, transitionStatement } from "@/server/db/sql/rows/chat-row";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import { insertMessageSql } from "@/server/db/sql/rows/message-columns";
import { type NamedStatement, runNamed } from "@/server/db/sql/rows/named-statement";
import {
  insertParts,
  type PartRecord,
  toPartRecord,
  toPartRow,
} from "@/server/db/sql/rows/part-columns";
import { addUses, type UseValues, useValues } from "@/server/db/sql/writes/usage";
import { type Fence, fenced } from "./fence";

/** What comes after a summary: the turn goes on, or the chat rests, as it did before. */
export type AfterSummary = "continue" | "finish";

const THEN = { continue: undefined, finish: "finish_turn" } as const;

const forEachEnd = <Values extends object>(
  create: (end: AfterSummary) => NamedStatement<Values>,
): Record<AfterSummary, NamedStatement<Values>> => ({
  continue: create("continue"),
  finish: create("finish"),
});

type NewSummary = {
  messageId: string;
  /** "provider/model" that wrote it. */
  model: string;
  parts: PartRow[];
  uses: readonly ModelUse[];
  /** Estimated tokens of the context after it. */
  contextTokens: number;
};

type SummaryValues = Fence &
  UseValues & { messageId: string; model: string; parts: string; contextTokens: number };

const SUMMARY_USES = addUses("$messageId::uuid", "'compaction'");

const COMMIT_SUMMARY = forEachEnd<SummaryValues>((end) =>
  transitionStatement({
    name: `commit-summary-and-${end}`,
    event: "commit_step",
    then: THEN[end],
    where: fenced,
    change: {
      historyChanged: "true",
      newMessages: "1",
      assign: {
        compaction: "NULL",
        usage: SUMMARY_USES.totals,
        context_tokens: "$contextTokens",
      },
    },
    with: {
      m: `${insertMessageSql(
        {
          id: "$messageId::uuid",
          chatId: "c.id",
          seq: "c.last_seq",
          role: "'event'",
          turnId: "c.turn_id",
          revision: "c.version",
          model: "$model",
        },
        "FROM c",
      )} RETURNING id, created_at`,
      p: insertParts("m", "$parts"),
      u: SUMMARY_USES.records,
    },
    select: "m.created_at AS message_created_at",
    from: "m",
  }),
);

/**
 * Appends the boundary with a summary of what is before it, in one statement.
 *
 * @returns the chat and the message as both would be read now, or undefined when the lease is lost
 *   or the history has changed: nothing is written then.
 */
export const commitSummary = async (
  db: Queryable,
  fence: Fence,
  { summary, after }: { summary: NewSummary; after: AfterSummary },
): Promise<{ chat: ChatRow; message: MessageRow } | undefined> => {
  const { messageId, model, contextTokens } = summary;
  const parts = toJsonText(summary.parts.map(toPartRecord));
  const [record] = await runNamed<ChatAnswer & { message_created_at: Date }, SummaryValues>(
    db,
    COMMIT_SUMMARY[after],
    { ...fence, ...useValues(summary.uses), messageId, model, parts, contextTokens },
  );
  if (!record) return undefined;
  const chat = toChatRow(record.chat);
  const message: MessageRow = {
    id: messageId,
    chatId: chat.id,
    seq: chat.lastSeq,
    revision: chat.version,
    role: "event",
    turnId: chat.turnId,
    parts: (fromJsonText(parts) as PartRecord[]).map(toPartRow),
    model,
    usage: null,
    finishReason: null,
    interrupted: false,
    createdBy: null,
    responseId: null,
    parameters: null,
    responseFormat: null,
    formatCheck: null,
    deleted: false,
    createdAt: record.message_created_at,
  };
  return { chat, message };
};

type FailureValues = Fence & UseValues & { compaction: string };

const LOST_USES = addUses("NULL::uuid", "'compaction'");

const NOTE_FAILURE = forEachEnd<FailureValues>((end) =>
  transitionStatement({
    name: `note-failed-summary-and-${end}`,
    event: "commit_step",
    then: THEN[end],
    where: fenced,
    change: {
      // The attempts were those of the summary.
      historyChanged: "true",
      assign: { compaction: "$compaction::jsonb", usage: LOST_USES.totals },
    },
    with: { u: LOST_USES.records },
  }),
);

/**
 * Records why there is no summary, without a change of the history.
 *
 * @returns the chat, or undefined when the lease is lost.
 */
export const noteFailedSummary = (
  db: Queryable,
  fence: Fence,
  {
    failure,
    uses,
    after,
  }: {
    failure: Extract<StoredCompaction, { status: "failed" }>;
    uses: readonly ModelUse[];
    after: AfterSummary;
  },
): Promise<ChatRow | undefined> =>
  changeChat(db, NOTE_FAILURE[after], {
    ...fence,
    ...useValues(uses),
    compaction: toJsonText(failure),
  });
