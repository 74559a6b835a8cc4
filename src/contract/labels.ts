import * as z from "zod";
import { Text } from "./content";
import { MAX_LABELS, MAX_LABEL_LENGTH } from "./limits";

export const Labels = z
  .record(Text.min(1).max(MAX_LABEL_LENGTH), Text.max(MAX_LABEL_LENGTH))
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `must be at most ${MAX_LABELS}`)
  .meta({ id: "Labels" });
export type Labels = z.infer<typeof Labels>;

/**
 * Labels in a query: `label=key=value`, which may be repeated. A chat has one value of a label, so that two values would match
 * nothing: who gives them means something else.
 */
export const QueryLabels = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : [value]))
  .transform((labels, context): Labels => {
    const entries = labels.map((label): [string, string] => {
      const at = label.indexOf("=");
      if (at < 1) context.addIssue({ code: "custom", message: `must be "key=value": "${label}"` });
      return [label.slice(0, at), label.slice(at + 1)];
    });
    const values = new Map<string, string>();
    for (const [key, value] of entries) {
      const other = values.get(key) ?? value;
      values.set(key, value);
      if (other === value) continue;
      const message = `must not have two values of one label: "${key}=${other}" and "${key}=${value}"`;
      context.addIssue({ code: "custom", message });
    }
    return Object.fromEntries(values);
  })
  .pipe(Labels);
