const CLOCK =
  "The column has milliseconds, and now() has microseconds: that both are the same is left to chance.";
const ONE_CONNECTION =
  "It needs a second connection, and the embedded database has one. With PostgreSQL a test sees it: ";
const QUICKER = "What it leaves out gives nothing; it saves the search for that.";

const MACHINE = "src/server/db/sql/machine";
const AGENTS = `${MACHINE}/agent-task-writes.ts`;
const CLAIM = `${MACHINE}/claim.ts`;
const EXPIRED = `${MACHINE}/expired-actions.ts`;
const ROWS = "src/server/db/sql/rows";

/** Mutants that change nothing that a test could see, as `describeMutant` names them, each with the reason. */
export const EQUIVALENT_MUTANTS: Readonly<Record<string, string>> = {
  [`${AGENTS}: }::float8 * interval '1 minute'\`; return \`task.started_at [<=] → [<]`]: CLOCK,
  [`${AGENTS}: AND part.resolved_by <> 'worker' AND part.completed_at [>] → [>=]`]: CLOCK,
  [`${AGENTS}: g(json_build_object('taskId', id, 'agentId', agent_chat_id) [ORDER BY created_at, id] → []`]:
    "The rows of `next` are in this order already.",
  [`${AGENTS}: sion: number; }; const GIVEN = \`SELECT *, (count(*) OVER () [- 1] → []`]:
    "It dates the ends a millisecond earlier, in the same order.",
  [`${AGENTS}: RE chat_id = known.id AND state = 'queued') FOR UPDATE [SKIP LOCKED] → []`]: `${ONE_CONNECTION}agent-task-writes.test.ts`,
  [`${AGENTS}: Version" AND status IN ('waiting', 'error') FOR UPDATE [SKIP LOCKED] → []`]: `${ONE_CONNECTION}agent-task-writes.test.ts`,
  [`${CLAIM}: HISTORY = \`CASE WHEN c.last_seq <= \${SHORT_HISTORY} AND [c.history_version = (SELECT history_version FROM chat WHERE chat.id = c.id)] → [true]`]: `${ONE_CONNECTION}claimed-history.test.ts`,
  [`${CLAIM}: ECT FROM worker WHERE worker.owner = \${owner} AND seen_at [>] → [>=]`]: CLOCK,
  [`${CLAIM}: ULL OR not_before <= now()) AND NOT agent_queued AND ( [session_owner IS NULL] → [false]`]:
    QUICKER,
  [`${CLAIM}: OR session_owner = $owner OR \${WITHOUT_HOLDER}) AND ( [$full::text[] = '{}'] → [false]`]:
    QUICKER,
  [`${CLAIM}: ull::text[]) ORDER BY updated_at LIMIT $limit FOR UPDATE [SKIP LOCKED] → []`]: `${ONE_CONNECTION}claim.test.ts`,
  [`${CLAIM}: res_at < now()) AND (not_before IS NULL OR not_before [<=] → [<]`]: CLOCK,
  [`${CLAIM}: rd} AND (lease_expires_at IS NULL OR lease_expires_at [<] → [<=]`]: CLOCK,
  [`${EXPIRED}: , text: \`SELECT id FROM chat WHERE action_deadline_at [<] → [<=]`]: CLOCK,
  [`${EXPIRED}: FROM chat c WHERE id = $chatId::uuid AND action_deadline_at [<] → [<=]`]: CLOCK,
  [`${ROWS}/chat-row.ts: e same whatever its length. */ export const UNREAD_SQL = \`( [read_mark.version IS NOT NULL] → [true]`]:
    "Without a mark, no message has a later version. It saves the search for one.",
  [`${ROWS}/queue-columns.ts: st. */ export const QUEUE_AS_JSON = \`CASE WHEN queued_count [>] → [>=]`]:
    QUICKER,
  [`${ROWS}/task-columns.ts: n = ( after: string, ): string => \`CASE WHEN task_version [>] → [>=]`]:
    QUICKER,
  [`src/server/machine/table/transition-table.ts: ffects: Effect[]): Outcome => ({ to: status, effects, [pausesQueue: false,] → []`]:
    "A value that is missing is as false, and does not compile.",
};
