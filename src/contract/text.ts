import { z } from "zod";

/** Text that the database and every provider can hold: no NUL, no lone surrogate. */
export const Text = z
  .string()
  .refine((text) => !text.includes("\0"), "must not contain NUL characters")
  .refine((text) => text.isWellFormed(), "must be well-formed Unicode (it has a lone surrogate)");
