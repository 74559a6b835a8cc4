import type { Alternatives, FoundMessage, Message, QueuedMessage } from "@/contract/message";
import type { ResponseFormat } from "@/contract/response-format";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { PARAMETER_TEXTS, SHARED } from "./shared";

export const MESSAGE_TEXTS = {
  QueuedMessage: {
    id: ["The id of the queued message."],
    position: ["The place in the queue; 0 is sent first.", 0],
    content: SHARED.content,
    ...PARAMETER_TEXTS,
    response_format: SHARED.response_format,
    mentions: SHARED.mentions,
    created_by: SHARED.created_by,
    created_at: ["When the queued message was made."],
    steers: ["Whether it enters the turn that runs, before the next call of the model."],
  } satisfies FieldTexts<QueuedMessage>,
  Message: {
    id: ["The id of the message."],
    seq: ["The number of the message in the chat, without gaps.", 1],
    revision: ["The chat's version at the last change; the higher one is newer.", 3],
    role: ["Who speaks."],
    parts: ["Text, reasoning, sources, tool calls and reports, in order."],
    ...PARAMETER_TEXTS,
    response_format: SHARED.response_format,
    parsed: [
      "The answer as JSON, if the message of its turn has a `response_format`; null if it does not match.",
      { version: "v12" },
    ],
    format_errors: ["Why the answer does not match; the pointers are into the answer.", []],
    model: ["The model that wrote the message.", "openai/gpt-5-mini"],
    usage: ["The tokens of the step that made the message."],
    finish_reason: [
      "Why the answer ended: as the model says, `interrupted` by a stop or a failure, `step-limit` at the turn's limit of steps, `auto-submit-off` if the turn rests after the results of its tools and can be continued, or `invalid-format` if the answer does not match the `response_format` after two repairs.",
    ],
    interrupted: ["True if a person stopped the answer."],
    alternatives: [
      "What edits and regenerated answers have left as other versions, if there are some: `POST /chats/{chat_id}/messages/{message_id}/choose` chooses one.",
    ],
    former_answers: [
      "The first messages of the answers that were replaced, of a last message that has no answer now. Streams do not send it again when an answer follows, which then has them among its `alternatives`.",
      ["0198c0de-0000-7000-8000-000000000002"],
    ],
    created_by: SHARED.created_by,
    created_at: ["When the message was made."],
  } satisfies FieldTexts<Message>,
  Alternatives: {
    index: ["The place of this version among them.", 2],
    ids: [
      "The ids of the first messages of all versions, the oldest first.",
      ["0198c0de-0000-7000-8000-000000000002", "0198c0de-0000-7000-8000-000000000005"],
    ],
  } satisfies FieldTexts<Alternatives>,
  ResponseFormat: {
    type: ["The only type there is."],
    name: ["A name for the model.", "release"],
    schema: [
      "A JSON Schema, of an object in most cases. Its references are local.",
      { type: "object", properties: { version: { type: "string" } } },
    ],
  } satisfies FieldTexts<ResponseFormat>,
  FoundMessage: {
    id: ["The id of the message."],
    seq: ["The number of the message in the chat.", 1],
    snippet: ["Some text around what was found.", "We deploy v12 on Monday."],
  } satisfies FieldTexts<FoundMessage>,
} satisfies SchemaTexts;
