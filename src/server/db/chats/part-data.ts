import type { JsonValue } from "@/contract/json";
import { Prisma } from "@/server/db/generated/client";
import type { PartRow, ToolCallPartRow } from "./rows";
import type { EndedCall } from "@/server/db/sql/machine/call-answers";
import { OUTCOME_KEYS } from "@/server/db/sql/rows/part-columns";

const JSON_COLUMNS = [
  "data",
  "providerMetadata",
  "args",
  "approvalScope",
  "output",
  "artifacts",
  "elicitations",
] as const;

/**
 * Any JSON as a value for a column that may be NULL. Prisma would drop keys such as `__proto__` from an
 * object that it is given, so the value goes as text, in the form that Prisma makes of JSON itself.
 */
export const toJsonInput = (value: JsonValue): Prisma.InputJsonValue | typeof Prisma.DbNull =>
  value === null
    ? Prisma.DbNull
    : { toJSON: () => ({ $type: "Json", value: JSON.stringify(value) }) };

/** An answer to a call as Prisma takes it. */
export const toAnswerData = (answer: Answer): Prisma.PartUpdateManyMutationInput =>
  convertJson(answer);

/** How a call ended; a result has files, too. */
export type Answer = Omit<EndedCall, "toolCallId"> & Partial<Pick<ToolCallPartRow, "artifacts">>;

/** Prisma would store null as JSON in these columns, and `IS NULL` would not find it. */
const convertJson = (columns: object): Record<string, unknown> => {
  const data: Record<string, unknown> = { ...columns };
  for (const column of JSON_COLUMNS) {
    const value = data[column];
    if (value !== undefined) data[column] = toJsonInput(value as JsonValue);
  }
  return data;
};

/** The columns of a part as Prisma takes them. */
export const toPartData = (
  part: PartRow,
): Omit<Prisma.PartCreateManyInput, "messageId" | "index"> =>
  convertJson(part) as ReturnType<typeof toPartData>;

/** The columns that the outcome of a call changes, as Prisma takes them. */
export const toOutcomeData = (call: ToolCallPartRow): Prisma.PartUpdateManyMutationInput => {
  const data: Record<string, unknown> = toPartData({ ...call, output: call.output ?? null });
  return Object.fromEntries(OUTCOME_KEYS.map((key) => [key, data[key]]));
};
