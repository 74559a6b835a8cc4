import * as z from "zod";
import { AccountSessionList, ChangePasswordInput } from "@/contract/account";
import { DomainError } from "@/contract/domain-error";
import { endSession, listSessions } from "@/server/auth/account-sessions";
import { changePassword } from "@/server/auth/passwords";
import { defineOperation } from "@/server/api/operation";

export const listSessionsOperation = defineOperation({
  name: "account.sessions",
  method: "GET",
  path: "/account/sessions",
  summary: "List the browsers in which the caller is signed in",
  scope: "admin",
  input: z.strictObject({}),
  output: AccountSessionList,
  status: 200,
  run: async ({ db, actor: { userId, credential } }) => ({
    data: (await listSessions(db, userId)).map((row) => ({
      id: row.id,
      created_at: row.createdAt.toISOString(),
      last_used_at: row.updatedAt.toISOString(),
      user_agent: row.userAgent,
      current: credential.type === "session" && credential.id === row.id,
    })),
  }),
});

export const endSessionOperation = defineOperation({
  name: "account.endSession",
  method: "DELETE",
  path: "/account/sessions/{session_id}",
  summary: "Sign out a browser",
  scope: "admin",
  input: z.strictObject({ session_id: z.string() }),
  output: z.void(),
  status: 204,
  run: async ({ db, auth, actor }, { session_id }) => {
    const ended = await endSession(
      { db, caches: auth.caches },
      { id: session_id, userId: actor.userId },
    );
    if (!ended) throw new DomainError("not_found", `There is no session "${session_id}".`);
  },
});

export const changePasswordOperation = defineOperation({
  name: "account.changePassword",
  method: "POST",
  path: "/account/password",
  summary: "Change the password; all other browsers are signed out",
  scope: "session",
  input: ChangePasswordInput,
  output: z.void(),
  status: 204,
  ignoresIdempotencyKey: true,
  run: async ({ auth, actor: { userId, credential } }, { current_password, new_password }) =>
    changePassword(auth, {
      userId,
      sessionId: credential.id,
      currentPassword: current_password,
      newPassword: new_password,
    }),
});
