import type { Transaction } from "@/server/db/connection/database";
import type { ToolCallPartRow } from "@/server/db/chats/rows";
import { toJsonText } from "@/server/db/connection/nul";
import { recordCallsSql } from "@/server/db/sql/rows/chat-row";
import { deleteClaims } from "@/server/db/sql/rows/claim-columns";
import { lastAssistant } from "@/server/db/sql/rows/message-columns";
import { type NamedStatement, nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import {
  type CallOutcome,
  RUNNING_CALL,
  toOutcomesJson,
  writeOutcomes,
} from "@/server/db/sql/rows/part-columns";

// All of these need a lock on the chat, whose version gives each message its revision.

type Change = { chatId: string; revision: number };

const CLOSED = recordCallsSql("call.closed", {
  from: "changed AS s JOIN message ON message.id = s.message_id JOIN chat AS c ON c.id = message.chat_id",
  version: "$revision",
});

/**
 * Builds a statement that changes parts, and gives their message the revision. Without claims, as no program has these calls any more.
 *
 * @param changed.wasWaiting whether the calls that have waited for a client do so until now.
 */
const changeParts = <Values extends { revision: number }>(
  name: string,
  update: string,
  { wasWaiting }: { wasWaiting: boolean } = { wasWaiting: true },
): NamedStatement<Values> =>
  nameValues({
    name,
    text: `WITH changed AS (${update} RETURNING part.*),
        closed_claim AS (${deleteClaims("changed")})${wasWaiting ? `, closed AS (${CLOSED})` : ""}
      UPDATE message SET revision = $revision WHERE id = ANY(ARRAY(SELECT message_id FROM changed))`,
  });

const SAVE_OUTCOMES = changeParts<Change & { outcomes: string }>(
  "save-outcomes",
  writeOutcomes({ messageId: lastAssistant("$chatId"), json: "$outcomes" }),
);

/** Stores the outcomes of open calls of the last assistant message. */
export const saveOutcomes = async (
  tx: Transaction,
  { outcomes, ...change }: Change & { outcomes: readonly CallOutcome[] },
): Promise<void> => {
  if (outcomes.length === 0) return;
  await runNamed(tx, SAVE_OUTCOMES, { ...change, outcomes: toOutcomesJson(outcomes) });
};

type EndedCalls = { messageId: string; revision: number };

const SETTLE = changeParts<EndedCalls & { outcomes: string }>(
  "settle-ended-calls",
  writeOutcomes({ messageId: "$messageId::uuid", json: "$outcomes", where: RUNNING_CALL }),
  { wasWaiting: false },
);

/** Stores the outcomes of calls that had ended when their turn was interrupted. */
export const settleEndedCalls = async (
  tx: Transaction,
  { calls, messageId, revision }: EndedCalls & { calls: readonly ToolCallPartRow[] },
): Promise<void> => {
  await runNamed(tx, SETTLE, { messageId, revision, outcomes: toOutcomesJson(calls) });
};

type Approvals = Change & { resolvedBy: string };

const APPROVE = changeParts<Approvals & { calls: string }>(
  "approve-calls",
  `UPDATE part SET state = 'running', approved = true, resolved_by = $resolvedBy,
      approved_args = x.approved_args, approval_scope = x.approval_scope
    FROM json_to_recordset($calls::json)
      AS x(tool_call_id text, approved_args json, approval_scope json)
    WHERE part.message_id = ${lastAssistant("$chatId")} AND part.tool_call_id = x.tool_call_id
      AND part.state = 'awaiting_approval'`,
);

export type ApprovedCall = Pick<ToolCallPartRow, "toolCallId" | "approvedArgs" | "approvalScope">;

/** Lets calls run that waited for a person's approval. */
export const approveCalls = async (
  tx: Transaction,
  { calls, ...change }: Approvals & { calls: readonly ApprovedCall[] },
): Promise<void> => {
  if (calls.length === 0) return;
  const records = calls.map(({ toolCallId, approvedArgs, approvalScope }) => ({
    tool_call_id: toolCallId,
    approved_args: approvedArgs,
    approval_scope: approvalScope,
  }));
  await runNamed(tx, APPROVE, { ...change, calls: toJsonText(records) });
};

type ResumedCall = Change & { toolCallId: string };

const RESUME = changeParts<ResumedCall>(
  "resume-call",
  `UPDATE part SET state = 'running'
    WHERE part.message_id = ${lastAssistant("$chatId")} AND part.tool_call_id = $toolCallId
      AND part.state = 'awaiting_result'`,
);

/** Resumes a call whose question needs no answer any more. */
export const resumeCall = async (tx: Transaction, call: ResumedCall): Promise<void> => {
  await runNamed(tx, RESUME, call);
};
