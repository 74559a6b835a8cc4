import type { NewOwner } from "@/contract/account";
import type { Database, Queryable } from "@/server/db/connection/database";
import { lockTable } from "@/server/db/sql/machine/table-locks";
import { hashPassword } from "./password-hashing";
import { deleteSetupCode } from "./setup-code";

/** Whether the first account exists; until then its first visitor may make it, see setup-code.ts. */
export const hasOwner = async ({ prisma }: Queryable): Promise<boolean> =>
  (await prisma.user.findFirst({ select: { id: true } })) !== null;

/** @returns the administrator: the first account. */
export const findOwner = ({ prisma }: Queryable): Promise<{ id: string; email: string } | null> =>
  prisma.user.findFirst({
    where: { role: "owner" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, email: true },
  });

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
  const [id, accountId] = [newId(), newId()];
  const account = {
    accountId: id,
    providerId: "credential",
    password: await hashPassword(password),
  };
  return db.transaction(async (tx) => {
    await lockTable(tx, "user");
    if (await hasOwner(tx)) return undefined;
    await tx.prisma.user.create({
      data: { id, name, email, role: "owner", accounts: { create: { id: accountId, ...account } } },
    });
    await deleteSetupCode(tx);
    return id;
  });
};
