import { z } from "zod";
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
