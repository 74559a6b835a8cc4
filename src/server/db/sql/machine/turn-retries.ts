import type { Queryable } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { ChatRow, StoredRetry } from "@/server/db/chats/rows";
import type { ChatEvent } from "@/server/machine/table/transition-table";
import { changeChat, transitionStatement } from "@/server/db/sql/rows/chat-row";
import { type Fence, fenced } from "./fence";

/** As exact as the column, so that the time that people see is the one at which the chat can be claimed. */
const RETRY_AT = "(now() + make_interval(secs => $delaySeconds::float8))::timestamptz(3)";
const NEXT_RETRY = `$retry::jsonb || jsonb_build_object('retrying_at',
  to_char(${RETRY_AT} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** The next try of a model call, which begins after its delay. */
export type NextRetry = Omit<StoredRetry, "retrying_at">;
type RetryValues = Fence & { retry: string; delaySeconds: number };

const toRetryValues = (fence: Fence, retry: NextRetry): RetryValues => ({
  ...fence,
  retry: toJsonText(retry),
  delaySeconds: retry.delay_ms / 1000,
});

type RecordRetry = (db: Queryable, fence: Fence, retry: NextRetry) => Promise<ChatRow | undefined>;

/** @param assign columns that change in addition to `retry`. */
const createRecordRetry = (
  transition: { name: string; event: ChatEvent },
  assign: Record<string, string> = {},
): RecordRetry => {
  const statement = transitionStatement<RetryValues>({
    ...transition,
    where: fenced,
    change: { assign: { retry: NEXT_RETRY, ...assign } },
  });
  return (db, fence, retry) => changeChat(db, statement, toRetryValues(fence, retry));
};

/** Records that the model call will be tried again, and when. */
export const recordRetry = createRecordRetry({ name: "record-retry", event: "record_retry" });

/** Records the same and releases the chat: no worker claims it until then. */
export const deferChat = createRecordRetry(
  { name: "defer-chat", event: "defer" },
  { not_before: RETRY_AT },
);

const ATTEMPT = transitionStatement<Fence>({
  name: "record-attempt",
  event: "record_attempt",
  where: fenced,
});

/** Counts one more try of the same step. */
export const recordAttempt = (db: Queryable, fence: Fence): Promise<ChatRow | undefined> =>
  changeChat(db, ATTEMPT, fence);
