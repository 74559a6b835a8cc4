import type { CreateChatInput } from "@/contract/chat-inputs";
import type { ExistingChat } from "@/contract/chat-outputs";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { PARAMETER_TEXTS, SHARED } from "./shared";

export const NEW_CHAT_TEXTS = {
  ExistingChat: {
    chat: ["The chat, after the message."],
    message: ["The message, if the request has sent one and it is in the history."],
    queued_message: ["The message, if it waits in the queue."],
    version: ["The chat's version with the message; missing if nothing was sent.", 3],
  } satisfies FieldTexts<ExistingChat>,
  "chats.create": {
    content: ["The first message: a text, or parts.", [{ type: "text", text: "Deploy v12" }]],
    messages: [
      "Instead of `content`, what was said before, up to 8 MB in all. The chat answers a user's message at the end; without one it rests.",
      [
        { role: "user", content: "Deploy v12" },
        { role: "assistant", content: "Deployed." },
        { role: "user", content: "And v13?" },
      ],
    ],
    system_prompt: ["Instructions for the model, before the history.", "Be brief."],
    model_id: [
      "The model of the chat, by its id or as `provider/model`; left out for the default one.",
      "0198c0de-0000-7000-8000-000000000003",
    ],
    ...PARAMETER_TEXTS,
    response_format: SHARED.response_format,
    dynamic_tools: ["Tools that the client runs."],
    tools: ["Names of the server's tools that the chat may use; all by default.", ["current_time"]],
    groups: SHARED.groups,
    auto_submit: SHARED.auto_submit,
    wake_on_reports: SHARED.wake_on_reports,
    labels: SHARED.labels,
    action_timeout_seconds: ["How long a required action stays open.", 3_600],
    max_steps: ["Most model calls of a turn.", 20],
    temporary: [
      "Whether the chat is temporary: not in lists and searches, and deleted some time after its last change, which `expires_at` says.",
      true,
    ],
    external_id: [
      "By which the client knows the chat. It is unique among the caller's chats, and free again once the chat is deleted.",
      "C024-1712.001",
    ],
    if_exists: [
      "What happens if the caller has a chat with the `external_id`: 409 with its id, or 200 with the chat, which keeps its settings. With `send`, the content is sent to it as a message.",
      "send",
    ],
    busy_behavior: ["With `send`, what happens while a turn of that chat runs, as of a message."],
  } satisfies FieldTexts<CreateChatInput>,
} satisfies SchemaTexts;
