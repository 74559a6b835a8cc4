import type * as z from "zod";
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

const OVERSIZED = { isOversized: true };

/** What a program sends as a result. One that is too long is a `413`, as a body is. */
export const SubmittedOutput = JsonValue.superRefine((value, context) => {
  const error = validateJson(value, MAX_OUTPUT_DEPTH);
  if (error) context.addIssue({ code: "custom", message: error });
  else if (JSON.stringify(value).length > MAX_OUTPUT_LENGTH) {
    const message = `is longer than ${MAX_OUTPUT_LENGTH} characters of JSON: send the rest as a file (POST /files), and its id in file_ids`;
    context.addIssue({ code: "custom", message, params: OVERSIZED });
  }
});

export const isOversized = (issue: z.core.$ZodIssue): boolean =>
  issue.code === "custom" && issue.params === OVERSIZED;
