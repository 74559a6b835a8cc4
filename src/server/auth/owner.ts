import { hashPassword } from "better-auth/crypto";
import type { NewOwner } from "@/contract/account";
import type { Database, Statement } from "@/server/db/database";

const HAS_OWNER: Statement = {
  name: "has-owner",
  text: `SELECT EXISTS (SELECT 1 FROM "user") AS "hasOwner"`,
};

/** Whether the first account exists; until then anyone who reaches the server may make it. */
export const hasOwner = async (db: Database): Promise<boolean> => {
  const [row] = await db.query<{ hasOwner: boolean }>(HAS_OWNER, []);
  return row?.hasOwner === true;
};

const LOCK_USERS: Statement = {
  name: "lock-users",
  text: `LOCK TABLE "user" IN SHARE ROW EXCLUSIVE MODE`,
};

const INSERT_OWNER: Statement = {
  name: "insert-owner",
  text: `
    WITH owner AS (
      INSERT INTO "user" (id, name, email, role, email_verified, updated_at)
      SELECT $1, $2, $3, 'owner', false, now()
      WHERE NOT EXISTS (SELECT 1 FROM "user")
      RETURNING id
    )
    INSERT INTO account (id, account_id, provider_id, user_id, password, updated_at)
    SELECT $4, id, 'credential', id, $5, now() FROM owner
    RETURNING user_id AS "userId"`,
};

/**
 * Makes the first account. Of two at the same time only one succeeds: the lock lets readers
 * through and makes the second writer see the first one's row.
 *
 * @returns the owner's id, or undefined when there is an account already.
 */
export const createOwner = async (
  db: Database,
  { name, email, password }: NewOwner,
  newId: () => string,
): Promise<string | undefined> => {
  if (await hasOwner(db)) return undefined;
  const passwordHash = await hashPassword(password);
  const values = [newId(), name, email, newId(), passwordHash];
  const [row] = await db.transaction(async (tx) => {
    await tx.query(LOCK_USERS, []);
    return tx.query<{ userId: string }>(INSERT_OWNER, values);
  });
  return row?.userId;
};
