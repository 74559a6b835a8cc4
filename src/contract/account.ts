import * as z from "zod";
import { Text } from "./content";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./limits";

/** The first account. The server stores only a hash of the password. */
export const NewOwner = z.object({
  name: Text.trim().min(1).max(100),
  email: z.email().max(254).toLowerCase(),
  password: z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH),
});
export type NewOwner = z.infer<typeof NewOwner>;

/** What the set-up page sends. */
export const NewOwnerInput = NewOwner.extend({
  /** Proves that the sender has seen the server's output; needed if strangers can reach the server. */
  setup_code: z.string().max(100).optional(),
});
export type NewOwnerInput = z.infer<typeof NewOwnerInput>;

/** An e-mail address and a password, as a person enters them to sign in. */
export const Credentials = z.object({
  email: NewOwner.shape.email,
  password: z.string().min(1).max(MAX_PASSWORD_LENGTH),
});
export type Credentials = z.infer<typeof Credentials>;

export const ChangePasswordInput = z.strictObject({
  current_password: Credentials.shape.password,
  new_password: NewOwner.shape.password,
});
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>;

/** A browser in which the user is signed in. */
export const AccountSession = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    /** Accurate to one day. */
    last_used_at: z.iso.datetime(),
    /** The browser's `user-agent` header at sign-in. */
    user_agent: z.string().nullable(),
    /** Whether this is the session of the request. */
    current: z.boolean(),
  })
  .meta({ id: "AccountSession" });
export type AccountSession = z.infer<typeof AccountSession>;

export const AccountSessionList = z
  .object({ data: z.array(AccountSession) })
  .meta({ id: "AccountSessionList" });
