import type { JsonValue } from "@/contract/json";
import { Prisma } from "./generated/client";
import type { PartRow, ToolCallPartRow } from "./rows";
import { OUTCOME_KEYS } from "./sql/part-columns";

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

/** The columns of a part as Prisma takes them. */
export const toPartData = (
  part: PartRow,
): Omit<Prisma.PartCreateManyInput, "messageId" | "index"> => {
  const data: Record<string, unknown> = { ...part };
  for (const column of JSON_COLUMNS) {
    const value = data[column];
    if (value !== undefined) data[column] = toJsonInput(value as JsonValue);
  }
  return data as ReturnType<typeof toPartData>;
};

/** The columns that the outcome of a call changes, as Prisma takes them. */
export const toOutcomeData = (call: ToolCallPartRow): Prisma.PartUpdateManyMutationInput => {
  const data: Record<string, unknown> = toPartData({ ...call, output: call.output ?? null });
  return Object.fromEntries(OUTCOME_KEYS.map((key) => [key, data[key]]));
};
