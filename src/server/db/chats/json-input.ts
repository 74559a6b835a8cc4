import type { JsonValue } from "@/contract/json";
import { Prisma } from "@/server/db/generated/client";

/**
 * Any JSON as a value for a column that may be NULL. Prisma would drop keys such as `__proto__` from an
 * object that it is given, so the value goes as text, in the form that Prisma makes of JSON itself.
 */
export const toJsonInput = (value: JsonValue): Prisma.InputJsonValue | typeof Prisma.DbNull =>
  value === null
    ? Prisma.DbNull
    : { toJSON: () => ({ $type: "Json", value: JSON.stringify(value) }) };
