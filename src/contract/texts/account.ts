import type * as z from "zod";
import type { AccountSession, AccountSessionList, ChangePasswordInput } from "@/contract/account";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const ACCOUNT_TEXTS = {
  AccountSessionList: {
    data: ["The sessions of the account."],
  } satisfies FieldTexts<z.infer<typeof AccountSessionList>>,
  AccountSession: {
    id: ["The id of the session."],
    created_at: ["When the browser signed in."],
    last_used_at: ["When the session was last used; accurate to one day."],
    user_agent: ["The browser's header at sign-in; null if it sent none.", "Mozilla/5.0"],
    current: ["True for the session of this request."],
  } satisfies FieldTexts<AccountSession>,
  "account.endSession": {
    session_id: ["The id of the session.", "3kC0yQZ7"],
  },
  "account.changePassword": {
    current_password: ["The password until now.", "correct horse"],
    new_password: ["The new password.", "a new long password"],
  } satisfies FieldTexts<ChangePasswordInput>,
} satisfies SchemaTexts;
