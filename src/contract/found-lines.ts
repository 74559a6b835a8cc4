import * as z from "zod";

/** The lines that a search found, by file. */
export const FoundLines = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      matches: z.array(z.object({ line: z.int(), text: z.string() })),
      /** More lines of the file match. */
      has_more: z.boolean().optional(),
    }),
  ),
  /** What is missing, and what to do. */
  note: z.string().optional(),
});
export type FoundLines = z.infer<typeof FoundLines>;
