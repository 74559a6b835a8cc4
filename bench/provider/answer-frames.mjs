// The bytes of an answer. They are created once and copied, so that the provider uses little CPU
// time compared with the servers under test.

const WORDS = ["alfa", "brav", "char", "delt", "echo", "foxt", "golf", "hote"].concat([
  "indi",
  "juli",
  "kilo",
  "lima",
  "mike",
  "nove",
  "osca",
  "papa",
]);
/** Each token is a space and a word of four letters. */
export const TOKEN_LENGTH = 5;

/** Arguments by tool. */
const ARGUMENTS = {
  client: () => '{"q":"x"}',
  current_time: () => "{}",
  spawn_agent: (prompt) => JSON.stringify({ prompt }),
};
const PLACEHOLDER = "chatcmpl-bench00000000";
const ENVELOPE = {
  id: PLACEHOLDER,
  object: "chat.completion.chunk",
  created: 1_750_000_000,
  model: "fake-model",
  system_fingerprint: "fp_bench",
};

const formatEvent = (value) => `data: ${JSON.stringify(value)}\n\n`;
const formatChunk = (delta, finish = null) =>
  formatEvent({
    ...ENVELOPE,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
const formatUsage = (tokens) =>
  formatEvent({
    ...ENVELOPE,
    choices: [],
    usage: {
      prompt_tokens: 100,
      completion_tokens: tokens,
      total_tokens: 100 + tokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  });

/** Formats one chunk of HTTP's chunked encoding; the text is ASCII. */
const toHttpChunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;

const ROLE = formatChunk({ role: "assistant", content: "" });
const DONE = "data: [DONE]\n\n";
const TOKENS = WORDS.map((word) => formatChunk({ content: ` ${word}` }));
const TOKEN_CHUNKS = TOKENS.map(toHttpChunk);

let answers = 0;
let calls = 0;
const createId = (count) => count.toString(36).padStart(8, "0");

/** Creates the frames of one answer, with its own id. */
export const createAnswerFrames = () => {
  const id = `chatcmpl-bench${createId(++answers)}`;
  const bytes = (text) => Buffer.from(text.replaceAll(PLACEHOLDER, id), "latin1");
  const end = (tokens) => formatChunk({}, "stop") + formatUsage(tokens) + DONE;
  const tokenBytes = TOKEN_CHUNKS.map(bytes);
  return {
    start: () => bytes(toHttpChunk(ROLE)),
    token: (index) => tokenBytes[index % tokenBytes.length],
    end: (tokens) => bytes(toHttpChunk(end(tokens))),
    whole: (tokens) => {
      const text = Array.from({ length: tokens }, (_, index) => TOKENS[index % TOKENS.length]);
      return bytes(toHttpChunk(ROLE + text.join("") + end(tokens)));
    },
    toolCalls: ({ tool, calls, prompt }) => {
      const text = ARGUMENTS[tool](prompt);
      const deltas = Array.from({ length: calls }, (_, index) => formatToolCall(tool, text, index));
      const last = formatChunk({}, "tool_calls") + formatUsage(text.length) + DONE;
      return bytes(toHttpChunk(ROLE + deltas.join("") + last));
    },
  };
};

/** Formats the events of a call. Its arguments are in pieces of three characters, as providers send them. */
const formatToolCall = (name, text, index) => {
  const id = `call_${createId(++calls)}`;
  const first = { index, id, type: "function", function: { name, arguments: "" } };
  const pieces = text.match(/.{1,3}/g) ?? [];
  const deltas = pieces.map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...deltas].map((call) => formatChunk({ tool_calls: [call] })).join("");
};
