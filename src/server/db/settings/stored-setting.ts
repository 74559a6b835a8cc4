import type { Queryable } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";

export type SettingValue = Prisma.InputJsonObject;

/** A setting that is replaced as a whole. */
export type StoredSetting<Value> = {
  /** The key under which it is stored, which no other one has. */
  key: string;
  /** Returns the default for a value that is missing or invalid. Does not throw. */
  parse: (stored: unknown) => Value;
  read: (db: Queryable) => Promise<Value>;
};

export const createStoredSetting = <Value>({
  key,
  parse,
}: Omit<StoredSetting<Value>, "read">): StoredSetting<Value> => ({
  key,
  parse,
  read: async ({ prisma }) => parse((await prisma.setting.findUnique({ where: { key } }))?.value),
});
