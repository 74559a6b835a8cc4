import { JsonValue, validateJson } from "./json";
import { MAX_OUTPUT_DEPTH, MAX_OUTPUT_LENGTH } from "./limits";

/** What a client says that a call has returned: any JSON, up to a depth and a length. */
export const ToolOutput = JsonValue.superRefine((value, context) => {
  const error =
    validateJson(value, MAX_OUTPUT_DEPTH) ??
    (JSON.stringify(value).length > MAX_OUTPUT_LENGTH
      ? `is longer than ${MAX_OUTPUT_LENGTH} characters of JSON`
      : undefined);
  if (error) context.addIssue({ code: "custom", message: error });
});
