import type { UserContent } from "@/contract/content";
import type { ToolCallState } from "@/contract/part";
import type { Part } from "@/server/db/generated/client";
import { fromJsonText, toJsonText } from "@/server/db/connection/nul";
import {
  type FilePartRow,
  type GivenPartRow,
  OPEN_CALL_STATES,
  type PartRow,
  type TextPartRow,
  type ToolCallPartRow,
} from "@/server/db/chats/rows";
import {
  columnNames,
  createInsert,
  readColumn,
  recordType,
  toColumns,
  toRecord,
} from "./table-columns";

/** The columns that no outcome changes. */
const CONTENT = toColumns({
  index: "int",
  type: "part_type",
  text: "text",
  data: "jsonb",
  providerMetadata: "jsonb",
  startedAt: "timestamptz",
  toolCallId: "text",
  toolName: "text",
  kind: "tool_kind",
  args: "json",
  approvedArgs: "json",
  approvalScope: "json",
} as const satisfies Partial<Record<keyof Part, string>>);

/** The columns that the outcome of a tool call changes. */
export const OUTCOME_TYPES = {
  state: "tool_call_state",
  output: "json",
  isError: "boolean",
  forUser: "text",
  silent: "boolean",
  responseHandled: "boolean",
  artifacts: "jsonb",
  taskId: "uuid",
  elicitations: "json",
  resolvedBy: "text",
  approved: "boolean",
  completedAt: "timestamptz",
  definition: "json",
} as const satisfies Record<
  Exclude<
    keyof Part,
    | "messageId"
    | "position"
    | "isIndexed"
    | "deadlineAt"
    | "resolvedClaim"
    | (typeof CONTENT)[number]["key"]
  >,
  string
>;
const OUTCOME = toColumns(OUTCOME_TYPES);
const PART = [...CONTENT, ...OUTCOME];
/** Not copied: only a call that its chat waits for has one. */
const DEADLINE = toColumns({ deadlineAt: "timestamptz" });
/** Not copied: only what a program has answered here has one. */
const CLAIM = toColumns({ resolvedClaim: "uuid" });
/** A call waits for its client from the statement on that writes this, by the clock of the database. */
const TIMEOUT = toColumns({ timeoutSeconds: "float8" });
/** NULL without a timeout. */
const DEADLINE_OF_RECORD = "now() + make_interval(secs => x.timeout_seconds)";
const PART_OF_MESSAGE = [...toColumns({ messageId: "uuid" }), ...PART];
/** With whether the search has its text at once; `createInsert` leaves out what is not given. */
const WHOLE_PART = [...PART_OF_MESSAGE, ...toColumns({ isIndexed: "boolean" })];

/** SQL that makes rows of `part` of the JSON of `toPartRecord`, as `x`. */
const selectParts = (json: string): string =>
  `json_to_recordset(${json}::json) AS x${recordType([...PART, ...TIMEOUT])}`;

/** SQL that inserts parts. */
export const insertPartSql = createInsert("part", WHOLE_PART);

/** SQL that inserts the parts of the message that the table expression `message` has. */
export const insertParts = (message: string, json: string): string =>
  `INSERT INTO part (message_id, ${columnNames([...PART, ...DEADLINE])})
    SELECT ${message}.id, ${columnNames(PART, "x.")}, ${DEADLINE_OF_RECORD} FROM ${message}, ${selectParts(json)}`;

const GIVEN_TIME =
  "CASE WHEN x.type IN ('reasoning', 'tool_call') THEN coalesce(x.started_at, now()) END";

/**
 * SQL that inserts parts of several messages from the JSON of `toGivenPartRecord`. They begin and end at a time that is given, or
 * now, and the search gets them later.
 */
export const insertGivenParts = (json: string): string =>
  insertPartSql(
    {
      ...Object.fromEntries(PART_OF_MESSAGE.map(({ key, name }) => [key, `x.${name}`])),
      startedAt: GIVEN_TIME,
      completedAt: GIVEN_TIME,
      isIndexed: "false",
    },
    `FROM json_to_recordset(${json}::json) AS x${recordType(PART_OF_MESSAGE)}`,
  );

/** SQL that copies the parts `o` of a source to the messages that are given. The search gets them later. */
export const copyPartsSql = ({ messageId }: { messageId: string }, source: string): string =>
  `INSERT INTO part (message_id, is_indexed, ${columnNames(PART)})
    SELECT ${messageId}, false, ${columnNames(PART, "o.")} ${source}`;

const OUTCOME_RECORD = [
  ...CONTENT.filter(({ key }) => key === "toolCallId"),
  ...OUTCOME,
  ...CLAIM,
  ...TIMEOUT,
];

const listStates = (states: ReadonlySet<ToolCallState>): string =>
  [...states].map((state) => `'${state}'`).join(", ");

/** SQL of the condition of a call that has no outcome yet and that the provider does not run. */
const OPEN_CALL = `part.state IN (${listStates(OPEN_CALL_STATES)}) AND part.kind <> 'provider'`;

/** SQL of the condition of a call that a worker may be running. */
export const RUNNING_CALL = "part.state = 'running'";

/**
 * The assignments that differ from the value in the record. A worker knows when a call that it ran has ended, which may
 * be long before the other calls of the step have; all other outcomes have the time of the database.
 */
const ASSIGNED: Partial<Record<keyof Part, string>> = {
  completedAt: `CASE WHEN x.state NOT IN (${listStates(OPEN_CALL_STATES)}) THEN coalesce(x.completed_at, now()) END`,
  elicitations: "coalesce(x.elicitations, part.elicitations)",
  // No history has a schema of each call.
  definition: `CASE WHEN x.state IN (${listStates(OPEN_CALL_STATES)}) THEN coalesce(x.definition, part.definition) END`,
};

const ASSIGN_OUTCOME = [...OUTCOME, ...CLAIM]
  .map(({ key, name }) => `${name} = ${ASSIGNED[key] ?? `x.${name}`}`)
  .join(", ");

/** The SQL type of the JSON of `toTimeoutsJson`. */
const TIMEOUT_RECORD = [...CONTENT.filter(({ key }) => key === "toolCallId"), ...TIMEOUT];

/** Builds the UPDATE that lets calls of the row `c` wait for their client from now on. */
export const writeDeadlines = ({ messageId, json }: { messageId: string; json: string }): string =>
  `UPDATE part SET deadline_at = ${DEADLINE_OF_RECORD}
    FROM c, json_to_recordset(${json}::json) AS x${recordType(TIMEOUT_RECORD)}
    WHERE part.message_id = ${messageId} AND part.tool_call_id = x.tool_call_id AND ${OPEN_CALL}`;

/**
 * Builds the UPDATE that writes outcomes of calls of one message, or with what they go on. No other statement does.
 *
 * @param outcomes.json the value of `toOutcomesJson`.
 * @param outcomes.where which of these calls; by default those that are open.
 */
export const writeOutcomes = ({
  messageId,
  json,
  from = [],
  where = OPEN_CALL,
}: {
  messageId: string;
  json: string;
  from?: readonly string[];
  where?: string;
}): string => {
  const tables = [...from, `json_to_recordset(${json}::json) AS x${recordType(OUTCOME_RECORD)}`];
  return `UPDATE part SET ${ASSIGN_OUTCOME}, deadline_at = coalesce(${DEADLINE_OF_RECORD}, part.deadline_at) FROM ${tables.join(", ")}
    WHERE part.message_id = ${messageId} AND part.tool_call_id = x.tool_call_id AND ${where}`;
};

/** What an outcome sets; columns that are missing are NULL or false. */
export type CallOutcome = Pick<ToolCallPartRow, "toolCallId" | "state"> &
  Partial<Pick<ToolCallPartRow, keyof typeof OUTCOME_TYPES | "resolvedClaim">>;

/** How long a call waits for its client. */
export type CallTimeout = { toolCallId: string; timeoutSeconds: number };

/** The value of `writeOutcomes`. */
export const toOutcomesJson = (outcomes: readonly (CallOutcome & Partial<CallTimeout>)[]): string =>
  toJsonText(outcomes.map((outcome) => toRecord({ ...DEFAULTS, ...outcome }, OUTCOME_RECORD)));

/** The value of `writeDeadlines`. */
export const toTimeoutsJson = (timeouts: readonly CallTimeout[]): string =>
  toJsonText(timeouts.map((timeout) => toRecord(timeout, TIMEOUT_RECORD)));

const byPart = (timeouts: readonly CallTimeout[]) => {
  const seconds = new Map(timeouts.map((each) => [each.toolCallId, each.timeoutSeconds]));
  return (part: PartRow): number | undefined =>
    part.type === "tool_call" ? seconds.get(part.toolCallId) : undefined;
};

/** Parts as they would be read after a statement of this time has let the calls wait. */
export const withDeadlines = (
  parts: readonly PartRow[],
  timeouts: readonly CallTimeout[],
  now: Date,
): PartRow[] => {
  const findTimeout = byPart(timeouts);
  return parts.map((part) => {
    const timeout = findTimeout(part);
    return timeout === undefined
      ? part
      : { ...part, deadlineAt: new Date(now.getTime() + timeout * 1_000) };
  });
};

/** A row of `part` as SQL names its columns; a column that is NULL may be missing. */
export type PartRecord = { type: PartRow["type"] } & Record<string, unknown>;

/** What the columns hold where a part has no such field: they are NOT NULL. */
const DEFAULTS = { isError: false, silent: false, responseHandled: false, approved: false };

/** One part as a record of `selectParts`; bind the list with `toJsonText`. */
export const toPartRecord = (part: PartRow, index: number): Record<string, unknown> =>
  toRecord({ ...DEFAULTS, ...part, index }, PART);

/** The parts of an answer whose calls wait for their client from now on, for `insertParts`. */
export const toWaitingRecords = (
  parts: readonly PartRow[],
  timeouts: readonly CallTimeout[],
): Record<string, unknown>[] => {
  const findTimeout = byPart(timeouts);
  return parts.map((part, index) => ({
    ...toPartRecord(part, index),
    timeout_seconds: findTimeout(part),
  }));
};

/** One part of a message as a record of `insertGivenParts`. */
export const toGivenPartRecord = (
  part: GivenPartRow,
  place: { messageId: string; index: number; startedAt: Date | undefined },
): Record<string, unknown> => toRecord({ ...DEFAULTS, ...part, ...place }, PART_OF_MESSAGE);

const READ = [...PART, ...DEADLINE, ...CLAIM];
type PartKey = (typeof READ)[number]["key"];

const listFields = (keys: readonly PartKey[]) => READ.filter(({ key }) => keys.includes(key));

/** The columns that each type of part has, besides `type`. */
const FIELDS = {
  text: listFields(["text", "providerMetadata"]),
  reasoning: listFields(["text", "startedAt", "completedAt", "providerMetadata"]),
  source: listFields(["data"]),
  file: listFields(["data"]),
  report: listFields(["data"]),
  summary: listFields(["data"]),
  tool_call: listFields([
    ...([
      "toolCallId",
      "toolName",
      "kind",
      "args",
      "approvedArgs",
      "approvalScope",
      "startedAt",
      "deadlineAt",
      "resolvedClaim",
      "providerMetadata",
    ] as const),
    ...OUTCOME.map(({ key }) => key),
  ]),
} as const satisfies Record<PartRow["type"], unknown>;

/** The outcome of a call that has none yet. */
export const NO_OUTCOME = {
  ...Object.fromEntries(OUTCOME.map(({ key }) => [key, null])),
  ...DEFAULTS,
  output: undefined,
  deadlineAt: null,
  resolvedClaim: null,
} as Omit<
  Pick<ToolCallPartRow, (typeof OUTCOME)[number]["key"] | "deadlineAt" | "resolvedClaim">,
  "state"
>;

export const toPartRow = (record: PartRecord): PartRow => {
  const row: Record<string, unknown> = { type: record.type };
  for (const column of FIELDS[record.type]) {
    const value = readColumn(column, record) ?? null;
    if (value !== null || column.key !== "providerMetadata") row[column.key] = value;
  }
  // SQL's NULL and JSON's null are the same here: an open call has no output, a settled one may have null.
  const state = row.state as ToolCallPartRow["state"];
  if (OPEN_CALL_STATES.has(state) && state !== "awaiting_agents") row.output = undefined;
  return row as PartRow;
};

/** The parts of a message that a person sends. */
export const toContentParts = (content: UserContent): (TextPartRow | FilePartRow)[] =>
  content.map((part) => {
    if (part.type === "text") return part;
    const { type, ...data } = part;
    return { type, data };
  });

/** The parts of a message as they would be read after `writeOutcomes` has stored these calls. */
export const settledParts = (
  parts: readonly PartRow[],
  calls: readonly ToolCallPartRow[],
): PartRow[] => {
  const records = fromJsonText(toJsonText(calls.map(toPartRecord))) as PartRecord[];
  const settled = new Map(records.map((record) => [record.tool_call_id, toPartRow(record)]));
  return parts.map((part) =>
    part.type === "tool_call" ? (settled.get(part.toolCallId) ?? part) : part,
  );
};
