import type { CallClaim } from "@/server/db/generated/client";
import type { CallClaimRow } from "@/server/db/chats/rows";
import { createRowReader, toColumns } from "./table-columns";

const CLAIM = toColumns({
  messageId: "uuid",
  toolCallId: "text",
  chatId: "uuid",
  token: "uuid",
  holder: "text",
  credential: "text",
  claimedAt: "timestamptz",
  expiresAt: "timestamptz",
  leaseSeconds: "int",
  attempt: "int",
  maxAttempts: "int",
  progress: "jsonb",
} as const satisfies Record<keyof CallClaim, string>);

/** A row of `call_claim` as one column. */
export type ClaimRecord = object;

export const toClaimRow = createRowReader<CallClaimRow>([
  ...CLAIM,
  ...toColumns({ secondsLeft: "int" }),
]);

/** SQL of the row of `call_claim` of the part, as JSON; NULL without one. */
export const CLAIM_OF_PART = `(SELECT row_to_json(claim) FROM (
    SELECT call_claim.*, ceil(extract(epoch FROM call_claim.expires_at - now()))::int AS seconds_left FROM call_claim
    WHERE call_claim.message_id = part.message_id AND call_claim.tool_call_id = part.tool_call_id) AS claim)`;

/** Builds the DELETE of the claims of parts that a table expression has changed, as their calls wait no more. */
export const deleteClaims = (changed: string): string => `DELETE FROM call_claim USING ${changed}
  WHERE call_claim.message_id = ${changed}.message_id AND call_claim.tool_call_id = ${changed}.tool_call_id`;
