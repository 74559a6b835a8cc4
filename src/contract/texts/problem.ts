import type { FieldError, Problem } from "@/contract/problem";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const PROBLEM_TEXTS = {
  Problem: {
    type: ["Always `about:blank`; see `code`.", "about:blank"],
    title: ["The meaning of the status.", "Not Found"],
    status: ["The HTTP status.", 404],
    detail: ["What is wrong, and what to do.", "There is no chat with this id."],
    code: ["What is wrong, for programs."],
    request_id: ["Finds the request in the server's log.", "0198c0de-0000-7000-8000-000000000007"],
    errors: ["The invalid fields of the request."],
  } satisfies FieldTexts<Problem>,
  FieldError: {
    pointer: ["The field, as a JSON pointer.", "/content"],
    message: ["What is wrong with the field.", "must not be blank"],
  } satisfies FieldTexts<FieldError>,
} satisfies SchemaTexts;
