import { NewOwner } from "@/contract/account";
import { SCOPES_OF_SET } from "@/contract/api-key";
import type { Database } from "@/server/db/connection/database";
import type { Env } from "@/server/env";
import { createApiKey, hashKey, revokeEnvironmentKeys } from "./api-keys";
import { createOwner, findOwner } from "./owner";

type Bootstrap = {
  settings: Pick<Env, "owner" | "apiKey">;
  newId: () => string;
  warn: (message: string) => void;
};

/**
 * Makes the owner and an administrator's API key from the settings, for containers and CI, and
 * revokes the key that an earlier start had in the settings. Every start may call it.
 *
 * @throws {Error} when an API key is set but there is no owner to hold it.
 */
export const bootstrapOwner = async (
  db: Database,
  { settings: { owner, apiKey }, newId, warn }: Bootstrap,
): Promise<void> => {
  if (owner !== null) {
    const name = owner.email.split("@")[0] ?? owner.email;
    await createOwner(db, NewOwner.parse({ name, ...owner }), newId);
  }
  await revokeEnvironmentKeys(db, apiKey);
  if (apiKey === null) return;
  const holder = await findOwner(db);
  if (!holder) {
    throw new Error(
      "PARLEY_API_KEY needs an owner: set PARLEY_OWNER_EMAIL and PARLEY_OWNER_PASSWORD too.",
    );
  }
  const isUsable = await ensureEnvironmentKey(db, { id: newId(), userId: holder.id, key: apiKey });
  if (!isUsable) warn("PARLEY_API_KEY has been revoked and is refused: set another key.");
};

/** @returns false when the key was revoked before, which stays so: it may have leaked. */
const ensureEnvironmentKey = async (
  db: Database,
  key: { id: string; userId: string; key: string },
): Promise<boolean> => {
  const kind = { scopes: [...SCOPES_OF_SET.admin], fromEnvironment: true };
  if (await createApiKey(db, { ...key, ...kind, name: "from the environment" })) return true;
  const { count } = await db.prisma.apiKey.updateMany({
    where: { hash: hashKey(key.key), revokedAt: null },
    data: { ...kind, expiresAt: null },
  });
  return count > 0;
};
