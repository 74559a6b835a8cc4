import type { JsonValue } from "@/contract/json";
import type { ToolTrial } from "./tool-draft";

/** How long the shown programs wait for the model's call, in seconds. */
const WAIT_SECONDS = 60;

type AnsweredTrial = ToolTrial & { answer: JsonValue };

export const hasAnswer = (trial: ToolTrial): trial is AnsweredTrial => trial.answer !== undefined;

/** The body of the request that creates the chat. */
const toBody = ({ tool, message, modelId }: ToolTrial) => ({
  content: message,
  dynamic_tools: [tool],
  ...(modelId !== undefined && { model_id: modelId }),
});

const toJson = (value: JsonValue | object): string => JSON.stringify(value, null, 2);

/** Ends a heredoc; a line of JSON is never this. */
const END = "JSON";

/** Creates a shell script that does what the playground does, with `curl` and `sed`. */
export const toCurlCode = (trial: AnsweredTrial, origin: string): string => `set -euo pipefail
# Make a key under Settings, API keys.
: "\${PARLEY_API_KEY:?}"
PARLEY_URL=\${PARLEY_URL:-${origin}}

parley() {
  curl --silent --show-error --fail-with-body \\
    --header "Authorization: Bearer $PARLEY_API_KEY" \\
    --header "Content-Type: application/json" "$PARLEY_URL/api/v1$1" "\${@:2}"
}

# 1. Start a chat with the tool.
start_chat() {
  parley /chats --data @- <<'${END}'
${toJson(toBody(trial))}
${END}
}
chat_id=$(start_chat | sed 's/^{"id":"\\([^"]*\\)".*/\\1/')

# 2. Wait until the model calls the tool.
for second in $(seq ${WAIT_SECONDS}); do
  call_id=$(parley "/chats/$chat_id" | sed -n 's/.*"tool_calls":\\[{"tool_call_id":"\\([^"]*\\)".*/\\1/p')
  [ -n "$call_id" ] && break
  sleep 1
done

# 3. Answer the call. If the model made several at once, answer all in one request.
write_answer() {
  cat <<'${END}'
${toJson(trial.answer)}
${END}
}
parley "/chats/$chat_id/tool-results" \\
  --data "{\\"results\\": [{\\"tool_call_id\\": \\"$call_id\\", \\"output\\": $(write_answer)}]}"

# 4. Read the messages.
parley "/chats/$chat_id/messages"
`;

/** Creates a TypeScript program that does what the playground does, without packages. */
export const toTypeScriptCode = (trial: AnsweredTrial, origin: string): string =>
  `// Run it with Node.js 22.18 or newer: PARLEY_API_KEY=… node tool.ts
const url = process.env.PARLEY_URL ?? ${JSON.stringify(origin)};
// Make a key under Settings, API keys.
const key = process.env.PARLEY_API_KEY ?? "";

type ToolCall = { tool_call_id: string; tool_name: string; args: unknown };
type Chat = { id: string; status: string; required_action: { tool_calls: ToolCall[] } | null };
type Messages = { data: { role: string; parts: { type: string; text?: string }[] }[] };

const newChat = ${toJson(toBody(trial))};

/** Does the work of the tool. */
const answerCall = async (call: ToolCall): Promise<unknown> => {
  console.log(call.tool_name, call.args);
  return ${toJson(trial.answer).replaceAll("\n", "\n  ")};
};

const request = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
  const response = await fetch(\`\${url}/api/v1\${path}\`, {
    method,
    headers: { authorization: \`Bearer \${key}\`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(\`\${method} \${path}: \${response.status} \${text}\`);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
};

let chat = await request<Chat>("POST", "/chats", newChat);
while (chat.status !== "waiting" && chat.status !== "error") {
  if (chat.required_action) {
    const results = await Promise.all(
      chat.required_action.tool_calls.map(async (call) => ({
        tool_call_id: call.tool_call_id,
        output: await answerCall(call),
      })),
    );
    await request("POST", \`/chats/\${chat.id}/tool-results\`, { results });
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  chat = await request<Chat>("GET", \`/chats/\${chat.id}\`);
}
const { data } = await request<Messages>("GET", \`/chats/\${chat.id}/messages\`);
console.log(data.at(-1)?.parts.map(({ text }) => text ?? "").join(""));
`;
