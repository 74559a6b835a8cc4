import type { FieldText } from "./schema-texts";

/** Of fields that mean the same in several schemas; each schema names those that it has. */
export const SHARED = {
  auto_submit: ["Whether the turn goes on by itself after a call."],
  cancel_calls: [
    "Ids of the open calls that this may cancel; all by default. While another call is open, the answer is 409 and nothing changes.",
    ["call_1"],
  ],
  chat_id: ["The id of the chat.", "0198c0de-0000-7000-8000-000000000001"],
  content: ["What the person says: a text, or parts.", [{ type: "text", text: "Deploy v12" }]],
  created_by: ["The id of a user, or `api_key:` and the id of a key.", "api_key:0198c0de"],
  duration_ms: ["How long it took, in milliseconds.", 840],
  for_user: ["What people see, if it differs from the output.", "Deployed."],
  groups: [
    "Names of the groups that the chat has chosen. With groups, the chat has their tools and those of `tools`, and no others.",
    [],
  ],
  input_tokens: ["Tokens that the model read.", 1_200],
  labels: ["Texts by which clients find their chats.", { team: "web" }],
  max_output_tokens: [
    "The longest answer of one model call in tokens, with those that the model thinks; no more than the model's own limit.",
    8_000,
  ],
  mentions: [
    "Tools and groups that the chat gets with the message, besides those that it has. If the message waits in the queue, the chat gets them when the message leaves it.",
    { tools: [], groups: ["review"] },
  ],
  model_id: [
    "The model that the chat has from now on, by its id or as `provider/model`; left out, it keeps its own.",
    "0198c0de-0000-7000-8000-000000000003",
  ],
  output_tokens: ["Tokens that the model wrote.", 250],
  provider_tools: [
    "Which tools that the provider of the model runs are on, of those that the model has; all by default, none with an empty list.",
    ["web_search"],
  ],
  reasoning_effort: [
    "How much the model thinks before it answers. One that the model does not have is replaced by the next lower one, else by the next higher one.",
    "high",
  ],
  response_format: [
    "What the last answer of the turn must be: JSON that matches a schema. It is checked, repaired at most twice, and in the message as `parsed`.",
    {
      type: "json_schema",
      name: "release",
      schema: { type: "object", properties: { version: { type: "string" } } },
    },
  ],
  server_id: ["The id of the MCP server."],
  temperature: [
    "The temperature of the model, where it takes one; it is lowered to the highest.",
    0.7,
  ],
  task_id: ["The id of the task.", "0198c0de-0000-7000-8000-000000000011"],
  tool_call_id: ["The id of the call.", "call_1"],
  tool_name: ["The name of the tool.", "deploy"],
  wake_on_reports: ["Whether the report of a task begins a turn while the chat rests.", true],
} as const satisfies Record<string, FieldText>;

/** Of what sets the parameters of model calls. */
export const PARAMETER_TEXTS = {
  reasoning_effort: SHARED.reasoning_effort,
  temperature: SHARED.temperature,
  max_output_tokens: SHARED.max_output_tokens,
  provider_tools: SHARED.provider_tools,
} as const satisfies Record<string, FieldText>;
