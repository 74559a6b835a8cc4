import type { Queryable } from "@/server/db/connection/database";
import type { SETTING } from "./setting-reads";

/** A setting that is replaced as a whole, and that turns read. */
export type VersionedSetting<Value> = {
  key: (typeof SETTING)[keyof typeof SETTING];
  /** Returns the default for a value that is missing or invalid. Does not throw. */
  parse: (stored: unknown) => Value;
  read: (db: Queryable) => Promise<Value>;
};

export const createVersionedSetting = <Value extends { version: number }>({
  key,
  parse,
}: Omit<VersionedSetting<Value>, "read">): VersionedSetting<Value> => ({
  key,
  parse,
  read: async ({ prisma }) => parse((await prisma.setting.findUnique({ where: { key } }))?.value),
});
