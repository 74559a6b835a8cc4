import type { FinishReason } from "@/contract/message";
import type { ToolModes } from "@/contract/tool";
import type { MessageUsage } from "@/contract/usage";
import type { Queryable } from "@/server/db/connection/database";
import { fromJsonText, toJsonText } from "@/server/db/connection/nul";
import type {
  ChatRow,
  EndedCallRow,
  FormatCheck,
  MessageRow,
  ModelUse,
  PartRow,
} from "@/server/db/chats/rows";
import { toToolModes } from "@/server/db/settings/setting-reads";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import {
  changeChat,
  type ChatAnswer,
  recordCallsSql,
  transitionStatement,
} from "@/server/db/sql/rows/chat-row";
import type { ToolModesAnswer } from "./claim";
import {
  type AfterCommit,
  findTimeout,
  forEachEnd,
  type ParkValues,
  THEN,
  toParkValues,
} from "./after-commit";
import { FENCE, type Fence, fenced } from "./fence";
import { insertMessageSql } from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import {
  insertParts,
  type PartRecord,
  RUNNING_CALL,
  toOutcomesJson,
  toPartRow,
  toWaitingRecords,
  withDeadlines,
  writeOutcomes,
} from "@/server/db/sql/rows/part-columns";
import { listCells, stateCondition } from "@/server/db/sql/rows/transition-sql";
import { deliverReports, REPORTED_TASKS } from "@/server/db/sql/rows/task-columns";
import { addUses, type UseValues, useValues } from "@/server/db/sql/writes/usage";

export type NewStep = {
  messageId: string;
  usageId: string;
  /** "provider/model". */
  model: string;
  parts: PartRow[];
  usage: MessageUsage;
  costMicros: number;
  finishReason: FinishReason;
  responseId: string | null;
  /** Null for an answer that has nothing to be checked. */
  formatCheck?: FormatCheck | null;
  /** Of the context after it; what the provider has counted by default. */
  contextTokens?: number | undefined;
};

type StepValues = Fence &
  ParkValues &
  Omit<NewStep, "parts" | "usage" | "formatCheck" | "contextTokens"> & {
    parts: string;
    formatCheck: string | null;
    usage: string;
    inputTokens: number;
    outputTokens: number;
    contextTokens: number;
  };

/** A turn that rests until a person continues it is not continued by a report. */
const wakesUnless = (notice: string): string =>
  `CASE WHEN ${notice}::text = 'auto-submit-off' THEN 0 ELSE wakes_left END`;

const COMMIT_STEP = forEachEnd<StepValues>((end, { assign, columns }) =>
  transitionStatement({
    name: `commit-step-and-${end}`,
    event: "commit_step",
    then: THEN[end],
    where: fenced,
    change: {
      historyChanged: "true",
      newMessages: "1",
      newSteps: "1",
      assign: {
        ...assign,
        wakes_left: wakesUnless("$finishReason"),
        usage: "add_usage(usage, 'turn', $inputTokens, $outputTokens, $costMicros)",
        context_tokens: "$contextTokens",
      },
    },
    with: {
      m: `${insertMessageSql(
        {
          id: "$messageId::uuid",
          chatId: "c.id",
          seq: "c.last_seq",
          role: "'assistant'",
          turnId: "c.turn_id",
          revision: "c.version",
          model: "$model",
          usage: "$usage::jsonb",
          finishReason: "$finishReason",
          responseId: "$responseId",
          formatCheck: "$formatCheck::json",
        },
        "FROM c",
      )} RETURNING id, created_at`,
      p: `${insertParts("m", "$parts")} RETURNING message_id, tool_call_id, tool_name, deadline_at`,
      ...(end === "park" && { o: recordCallsSql("call.opened", { from: "c, p AS s" }) }),
      u: `INSERT INTO usage_record
          (id, chat_id, message_id, turn_id, kind, model, input_tokens, output_tokens, cost_micros)
        SELECT $usageId::uuid, c.id, $messageId::uuid, c.turn_id, 'turn', $model,
          $inputTokens, $outputTokens, $costMicros FROM c`,
    },
    select: ["m.created_at AS message_created_at", ...columns].join(", "),
    from: "m",
  }),
);

/** A chat after a commit, with the modes of tools if its turn continues. */
export type CommittedChat = { chat: ChatRow; toolModes: ToolModes | undefined };

type CommitAnswer = ChatAnswer & Partial<ToolModesAnswer>;

const toCommittedChat = ({ chat, tool_modes: modes }: CommitAnswer): CommittedChat => ({
  chat: toChatRow(chat),
  toolModes: modes === undefined ? undefined : toToolModes(modes ?? {}),
});

/**
 * Appends an assistant message, with all that comes after it, in one statement.
 *
 * @returns the chat and the message as both would be read now, or undefined when the lease is lost
 *   or the history has changed: nothing is written then.
 */
export const commitStep = async (
  db: Queryable,
  fence: Fence,
  { step, after }: { step: NewStep; after: AfterCommit },
): Promise<(CommittedChat & { message: MessageRow }) | undefined> => {
  const timeouts = after.type === "park" ? after.timeouts : [];
  const parts = toJsonText(toWaitingRecords(step.parts, timeouts));
  const { input_tokens: inputTokens, output_tokens: outputTokens } = step.usage;
  const { contextTokens = inputTokens + outputTokens } = step;
  const [record] = await runNamed<CommitAnswer & { message_created_at: Date }, StepValues>(
    db,
    COMMIT_STEP[after.type],
    {
      ...fence,
      ...toParkValues(after),
      ...step,
      parts,
      formatCheck: step.formatCheck ? toJsonText(step.formatCheck) : null,
      usage: JSON.stringify(step.usage),
      inputTokens,
      outputTokens,
      contextTokens,
    },
  );
  if (!record) return undefined;
  const committed = toCommittedChat(record);
  const { chat } = committed;
  const message: MessageRow = {
    id: step.messageId,
    chatId: chat.id,
    seq: chat.lastSeq,
    revision: chat.version,
    role: "assistant",
    turnId: chat.turnId,
    parts: withDeadlines(
      (fromJsonText(parts) as PartRecord[]).map(toPartRow),
      timeouts,
      record.message_created_at,
    ),
    model: step.model,
    usage: step.usage,
    finishReason: step.finishReason,
    interrupted: false,
    createdBy: null,
    responseId: step.responseId,
    deleted: false,
    parameters: null,
    responseFormat: null,
    formatCheck: step.formatCheck ?? null,
    createdAt: record.message_created_at,
  };
  return { ...committed, message };
};

/** Calls that ran, and what their own model calls cost. */
export type SettledCalls = {
  messageId: string;
  calls: EndedCallRow[];
  uses: readonly ModelUse[];
};

type SettleValues = Fence &
  ParkValues &
  UseValues & { messageId: string; outcomes: string; reportedTasks?: readonly string[] };

const USES = addUses("$messageId::uuid");

/** What a commit adds whose outcomes report tasks: their own reports count as delivered. */
const REPORTING = {
  change: { reportGrowth: `-(SELECT count(*)::int FROM task WHERE ${REPORTED_TASKS})` },
  with: {
    t: deliverReports({ revision: "c.version", from: "FROM c", where: REPORTED_TASKS }),
  },
};

/** Of a call that asks a person in the middle, and not of one that has asked before. */
const IS_OPEN = "s.state = 'awaiting_result'";

const createSettle = (name: string, { change, with: more }: Partial<typeof REPORTING>) =>
  forEachEnd<SettleValues>((end, { assign, columns, deadlines }) =>
    transitionStatement({
      name: `${name}-and-${end}`,
      event: "commit_step",
      then: THEN[end],
      where: fenced,
      change: { historyChanged: "true", assign: { ...assign, usage: USES.totals }, ...change },
      with: {
        m: `UPDATE message SET revision = c.version FROM c WHERE message.id = $messageId::uuid`,
        p: `${writeOutcomes({
          messageId: "$messageId::uuid",
          json: "$outcomes",
          from: ["c"],
          where: RUNNING_CALL,
        })} RETURNING part.*`,
        ...(end === "park" && {
          q: recordCallsSql("call.opened", { from: "c, p AS s", where: IS_OPEN }),
        }),
        u: USES.records,
        ...deadlines,
        ...more,
      },
      select: columns.join(", "),
    }),
  );

const SETTLE = createSettle("settle-calls", {});
const SETTLE_REPORTING = createSettle("settle-reporting-calls", REPORTING);

/**
 * Stores the outcomes of calls that ran, in one statement.
 *
 * @returns the chat, or undefined when the lease is lost: nothing is written then.
 */
export const settleCalls = async (
  db: Queryable,
  fence: Fence,
  { messageId, calls, uses, after }: SettledCalls & { after: AfterCommit },
): Promise<CommittedChat | undefined> => {
  const reportedTasks = calls.flatMap((call) => call.reportedTasks ?? []);
  const statements = reportedTasks.length > 0 ? SETTLE_REPORTING : SETTLE;
  const [record] = await runNamed<CommitAnswer, SettleValues>(db, statements[after.type], {
    ...fence,
    ...toParkValues(after, calls),
    ...useValues(uses),
    messageId,
    outcomes: toOutcomesJson(calls.map((call) => ({ ...call, ...findTimeout(after, call) }))),
    ...(reportedTasks.length > 0 && { reportedTasks }),
  });
  return record && toCommittedChat(record);
};

type RestValues = Fence & ParkValues & { notice: FinishReason | null };

/** The events of a chat that rests without a commit. */
const REST = forEachEnd<RestValues>((end, { assign, deadlines }) =>
  transitionStatement({
    name: `rest-chat-and-${end}`,
    event: "commit_step",
    then: THEN[end],
    where: fenced,
    change: {
      historyChanged: "true",
      assign: { ...assign, wakes_left: wakesUnless("$notice") },
    },
    with: {
      m: `UPDATE message SET revision = c.version, finish_reason = $notice FROM c
        WHERE $notice::text IS NOT NULL AND message.id = (
          SELECT id FROM message WHERE chat_id = $chatId::uuid AND role = 'assistant' AND NOT deleted
          ORDER BY seq DESC LIMIT 1)`,
      ...deadlines,
    },
  }),
);

/**
 * Parks the chat or ends its turn without new messages; `notice` marks the last answer.
 *
 * @returns the chat, or undefined when the lease is lost.
 */
export const restChat = (
  db: Queryable,
  fence: Fence,
  { after, notice }: { after: AfterCommit; notice: FinishReason | null },
): Promise<ChatRow | undefined> =>
  changeChat(db, REST[after.type], { ...fence, ...toParkValues(after), notice });

const RUNNING = stateCondition(listCells("commit_step").map(({ state }) => state));

type StartValues = Fence & { messageId: string; toolCallIds: string[] };

/** Raw, as it is fenced by the lease of another table's row, in one statement. */
const START_APPROVED = nameValues<StartValues>({
  name: "start-approved-calls",
  text: `UPDATE part SET approved = false, started_at = now()
    FROM chat WHERE chat.${FENCE} AND ${RUNNING} AND part.message_id = $messageId::uuid
      AND part.tool_call_id = ANY($toolCallIds::text[]) AND part.approved AND part.state = 'running'
    RETURNING part.tool_call_id`,
});

/**
 * Marks approved calls as started before they run, so that a crash while they run is known.
 *
 * @returns false when the lease is lost.
 */
export const startApprovedCalls = async (
  db: Queryable,
  fence: Fence,
  calls: { messageId: string; toolCallIds: string[] },
): Promise<boolean> => {
  const rows = await runNamed(db, START_APPROVED, { ...fence, ...calls });
  return rows.length === calls.toolCallIds.length;
};
