import type { FoundMessage, Message, QueuedMessage } from "@/contract/message";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

export const MESSAGE_TEXTS = {
  QueuedMessage: {
    id: ["The id of the queued message."],
    position: ["The place in the queue; 0 is sent first.", 0],
    content: SHARED.content,
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
    model: ["The model that wrote the message.", "openai/gpt-5-mini"],
    usage: ["The tokens of the step that made the message."],
    finish_reason: [
      "Why the answer ended: as the model says, `interrupted` by a stop or a failure, `step-limit` at the turn's limit of steps, or `auto-submit-off` if the turn rests after the results of its tools and can be continued.",
    ],
    interrupted: ["True if a person stopped the answer."],
    created_by: SHARED.created_by,
    created_at: ["When the message was made."],
  } satisfies FieldTexts<Message>,
  FoundMessage: {
    id: ["The id of the message."],
    seq: ["The number of the message in the chat.", 1],
    snippet: ["Some text around what was found.", "We deploy v12 on Monday."],
  } satisfies FieldTexts<FoundMessage>,
} satisfies SchemaTexts;
