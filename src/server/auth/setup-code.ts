import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { isLoopback } from "@/lib/is-loopback";
import type { Queryable } from "@/server/db/connection/database";
import type { Env } from "@/server/env";

/** The key of the setting. In the database, because each process of a server must accept the code. */
const SETTING_KEY = "setup_code";

type Exposure = Pick<Env, "hostname" | "publicUrl" | "allowedHosts" | "trustedProxies">;

/** True if a stranger may reach the server before its owner does. */
export const isExposed = (settings: Exposure): boolean =>
  !isLoopback(settings.hostname) ||
  settings.publicUrl !== null ||
  settings.allowedHosts.length > 0 ||
  settings.trustedProxies.length > 0;

/** @returns the code without which the first account cannot be made; undefined if none is needed. */
export const readSetupCode = async ({ prisma }: Queryable): Promise<string | undefined> => {
  const setting = await prisma.setting.findUnique({ where: { key: SETTING_KEY } });
  return typeof setting?.value === "string" ? setting.value : undefined;
};

/** Stores a new code, unless another process has stored one. */
export const createSetupCode = async ({ prisma }: Queryable): Promise<void> => {
  const value = randomBytes(16).toString("base64url");
  await prisma.setting.createMany({ data: [{ key: SETTING_KEY, value }], skipDuplicates: true });
};

/** Deletes the code when the account exists. */
export const deleteSetupCode = async ({ prisma }: Queryable): Promise<void> => {
  await prisma.setting.deleteMany({ where: { key: SETTING_KEY } });
};

/** Compares in constant time. Any code opens a server that needs none. */
export const opensSetup = async (db: Queryable, given: string | undefined): Promise<boolean> => {
  const code = await readSetupCode(db);
  if (code === undefined) return true;
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(given ?? ""), digest(code));
};
