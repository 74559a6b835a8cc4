import { DomainError } from "@/contract/domain-error";
import type { Database } from "@/server/db/connection/database";
import { replacePasswordHash } from "@/server/db/sql/writes/dated-writes";
import type { AuthServices } from "./auth-services";
import { hashPassword, verifyPassword } from "./password-hashing";

type ChangePassword = {
  userId: string;
  /** The session that asks; all others end. */
  sessionId: string;
  currentPassword: string;
  newPassword: string;
};

/**
 * Changes a password and ends all other sessions of the user.
 *
 * @throws {DomainError} `invalid` for a wrong current password, `limit_exceeded` after too many of
 *   them, `conflict` if the password was changed meanwhile, `unavailable`.
 */
export const changePassword = async (
  { db, caches, limits }: Pick<AuthServices, "db" | "caches" | "limits">,
  { userId, sessionId, currentPassword, newPassword }: ChangePassword,
): Promise<void> => {
  // Failures count for the session, so that attempts elsewhere cannot lock its user out.
  const attempt = { account: userId, network: "", knownBrowser: `session:${sessionId}` };
  const currentHash = await limits.tryPassword(attempt, async () => {
    const stored = await readPasswordHash(db, userId);
    const isRight = await verifyPassword({ hash: stored, password: currentPassword });
    return isRight ? stored : undefined;
  });
  if (currentHash === undefined) {
    throw new DomainError("invalid", "The current password is wrong.", {
      errors: [{ pointer: "/current_password", message: "is not your current password" }],
    });
  }
  await replacePassword(db, {
    userId,
    currentHash,
    newPassword,
    remainingSessionId: sessionId,
  });
  caches.sessions.clear();
};

/** Sets a password without the current one, and ends all sessions of the user. */
export const resetPassword = async (
  db: Database,
  { userId, newPassword }: { userId: string; newPassword: string },
): Promise<void> =>
  replacePassword(db, { userId, newPassword, currentHash: await readPasswordHash(db, userId) });

const CREDENTIAL = "credential";

const readPasswordHash = async ({ prisma }: Database, userId: string): Promise<string> => {
  const account = await prisma.account.findFirst({
    where: { userId, providerId: CREDENTIAL },
    select: { password: true },
  });
  if (account?.password) return account.password;
  throw new Error(`the user ${userId} has no password`);
};

type ReplacePassword = {
  userId: string;
  currentHash: string;
  newPassword: string;
  remainingSessionId?: string;
};

const replacePassword = async (
  db: Database,
  { userId, currentHash, newPassword, remainingSessionId }: ReplacePassword,
): Promise<void> => {
  const password = await hashPassword(newPassword);
  await db.transaction(async (tx) => {
    // The condition lets one of two changes at the same time win.
    const account = { userId, providerId: CREDENTIAL, before: currentHash, password };
    if (!(await replacePasswordHash(tx, account))) {
      throw new DomainError("conflict", "The password was changed meanwhile: try again with it.");
    }
    await tx.prisma.session.deleteMany({
      where: {
        userId,
        ...(remainingSessionId !== undefined && { id: { not: remainingSessionId } }),
      },
    });
  });
};
