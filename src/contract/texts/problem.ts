import type { FieldError, Problem, ProblemCall } from "@/contract/problem";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const PROBLEM_TEXTS = {
  Problem: {
    type: ["Always `about:blank`; see `code`.", "about:blank"],
    title: ["The meaning of the status.", "Not Found"],
    status: ["The HTTP status.", 404],
    detail: ["What is wrong, and what to do.", "There is no chat with this id."],
    code: ["What is wrong, for programs."],
    reason: [
      "Why, of a `409`: `call_answered`, `call_claimed`, `call_closed`, `call_not_awaited`, `chat_archived`, `chat_busy`, `external_id_taken`, `lease_lost`, `older_version`, `version_mismatch`. More may come.",
      "call_answered",
    ],
    call: ["How the call stands that the request would have answered."],
    chat_id: [
      "The chat that has the `external_id` already.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    request_id: ["Finds the request in the server's log.", "0198c0de-0000-7000-8000-000000000007"],
    errors: ["The invalid fields of the request."],
  } satisfies FieldTexts<Problem>,
  ProblemCall: {
    state: ["Its state, as in the part of its message."],
    resolved_by: ["Who has ended it, as in its part; null for an open call.", "worker"],
    resolved_at: ["When; null for an open call."],
    claim: ["The program that works on the call; null for none.", null],
    "claim.holder": ["What the program calls itself.", "runner-7"],
    "claim.expires_at": ["The end of its lease."],
  } satisfies FieldTexts<ProblemCall>,
  FieldError: {
    pointer: ["The field, as a JSON pointer.", "/content"],
    message: ["What is wrong with the field.", "must not be blank"],
  } satisfies FieldTexts<FieldError>,
} satisfies SchemaTexts;
