import * as z from "zod";
import { ToolSchema } from "./dynamic-tool";
import { isJsonObject } from "./is-json-object";
import type { JsonObject } from "./json";
import { findUnusablePlace } from "./unusable-place";

const AnswerSchema = ToolSchema.superRefine((schema, context) => {
  if (!isJsonObject(schema)) {
    context.addIssue({ code: "custom", message: "must be an object" });
    return;
  }
  const path = findUnusablePlace(schema);
  if (path) context.addIssue({ code: "custom", path, message: "cannot be used in a JSON Schema" });
}) as z.ZodType<JsonObject>;

/** The form that the last answer of a turn must have. */
export const ResponseFormat = z
  .strictObject({
    type: z.literal("json_schema"),
    /** For the model. */
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, '_' or '-'"),
    schema: AnswerSchema,
  })
  .meta({ id: "ResponseFormat" });
export type ResponseFormat = z.infer<typeof ResponseFormat>;

/** Answers of a turn that are made anew because they do not have its form. */
export const MAX_REPAIRS = 2;
