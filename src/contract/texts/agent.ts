import type { Agent } from "@/contract/agent";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

export const AGENT_TEXTS = {
  Agent: {
    chat_id: ["The id of the chat of the agent.", "0198c0de-0000-7000-8000-000000000001"],
    title: ["What it works on.", "Read the changelogs"],
    type: ["The agent type that it was started as.", "explore"],
    status: ["The state of the chat: see `docs/chat-states.md`."],
    task_id: SHARED.task_id,
    task_state: ["Whether its task has ended, and how.", "running"],
    tool_call_id: ["The id of the call that gave it the task.", "call_1"],
    steps: ["Steps of its turn.", 3],
    cost_micros: ["What it has cost, in millionths of a dollar.", 1_250],
    last_line: [
      "The last line that it has written, or the tool that it called last; null before.",
      "web_search",
    ],
    required_action: [
      "What it waits for, to be answered under its own id, or that of its parent with `chat_id`.",
      null,
    ],
    started_at: ["When its task began; null while it is queued.", "2026-11-24T09:00:00Z"],
    ended_at: ["When its task ended; null before.", null],
  } satisfies FieldTexts<Agent>,
  "chats.children": {
    chat_id: SHARED.chat_id,
    data: ["The agents that the chat has started."],
  },
} satisfies SchemaTexts;
