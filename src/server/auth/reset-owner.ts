import { randomBytes } from "node:crypto";
import { NewOwner } from "@/contract/account";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/contract/limits";
import type { Database } from "@/server/db/connection/database";
import { findOwner } from "./owner";
import { resetPassword } from "./passwords";

const RANDOM_BYTES = 18;

/**
 * Sets a new password for the owner and ends all sessions.
 *
 * @param given null for a random password.
 * @throws {Error} a sentence, when there is no owner or the password is not valid.
 */
export const resetOwner = async (
  db: Database,
  given: string | null,
): Promise<{ email: string; password: string }> => {
  const password = given ?? randomBytes(RANDOM_BYTES).toString("base64url");
  if (!NewOwner.shape.password.safeParse(password).success) {
    throw new Error(
      `The password has ${password.length} characters: give it ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH}.`,
    );
  }
  const owner = await findOwner(db);
  if (!owner) throw new Error("There is no owner yet: open the server's page to make the account.");
  await resetPassword(db, { userId: owner.id, newPassword: password });
  return { email: owner.email, password };
};
