import { NewOwner } from "@/contract/account";
import type { Database } from "@/server/db/database";
import type { Env } from "@/server/env";
import { createApiKey } from "./api-keys";
import { createOwner } from "./owner";

/**
 * Makes the owner and a first API key from the settings, for containers and CI. What exists
 * already stays as it is, so every start may call it.
 *
 * @throws {Error} when an API key is set but there is no owner to hold it.
 */
export const bootstrapOwner = async (
  db: Database,
  { owner, apiKey }: Pick<Env, "owner" | "apiKey">,
  newId: () => string,
): Promise<void> => {
  if (owner !== null) {
    const name = owner.email.split("@")[0] ?? owner.email;
    await createOwner(db, NewOwner.parse({ name, ...owner }), newId);
  }
  if (apiKey === null) return;
  const holder = await db.prisma.user.findFirst({
    where: { role: "owner" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  if (!holder) {
    throw new Error(
      "PARLEY_API_KEY needs an owner: set PARLEY_OWNER_EMAIL and PARLEY_OWNER_PASSWORD too.",
    );
  }
  const name = "from the environment";
  await createApiKey(db, { id: newId(), userId: holder.id, name, key: apiKey });
};
