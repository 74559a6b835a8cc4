import * as z from "zod";
import { Text } from "./content";
import { MAX_LABELS, MAX_LABEL_LENGTH } from "./limits";

export const Labels = z
  .record(Text.min(1).max(MAX_LABEL_LENGTH), Text.max(MAX_LABEL_LENGTH))
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `must be at most ${MAX_LABELS}`)
  .meta({ id: "Labels" });
export type Labels = z.infer<typeof Labels>;

/** Labels in a query: `label=key=value`, which may be repeated. */
export const QueryLabels = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : [value]))
  .transform((labels, context): Labels => {
    const entries = labels.map((label): [string, string] => {
      const at = label.indexOf("=");
      if (at < 1) context.addIssue({ code: "custom", message: `must be "key=value": "${label}"` });
      return [label.slice(0, at), label.slice(at + 1)];
    });
    return Object.fromEntries(entries);
  })
  .pipe(Labels);
