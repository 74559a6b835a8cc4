// The bytes of an answer. They are made once and copied, so that the provider costs next to nothing
// beside the servers under test.

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
/** Each token is a blank and a word of four letters. */
export const TOKEN_LENGTH = 5;

const ARGUMENTS = '{"q":"x"}';
const PLACEHOLDER = "chatcmpl-bench00000000";
const ENVELOPE = {
  id: PLACEHOLDER,
  object: "chat.completion.chunk",
  created: 1_750_000_000,
  model: "fake-model",
  system_fingerprint: "fp_bench",
};

const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta, finish = null) =>
  event({ ...ENVELOPE, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
const usage = (tokens) =>
  event({
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

/** One chunk of HTTP's chunked encoding; all that is sent is ASCII. */
const httpChunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;

const ROLE = chunk({ role: "assistant", content: "" });
const DONE = "data: [DONE]\n\n";
const TOKENS = WORDS.map((word) => chunk({ content: ` ${word}` }));
const TOKEN_CHUNKS = TOKENS.map(httpChunk);

let answers = 0;
let calls = 0;
const nextId = (count) => count.toString(36).padStart(8, "0");

/** The frames of one answer, under an id of its own. */
export const answerFrames = () => {
  const id = `chatcmpl-bench${nextId(++answers)}`;
  const bytes = (text) => Buffer.from(text.replaceAll(PLACEHOLDER, id), "latin1");
  const end = (tokens) => chunk({}, "stop") + usage(tokens) + DONE;
  const tokenBytes = TOKEN_CHUNKS.map(bytes);
  return {
    start: () => bytes(httpChunk(ROLE)),
    token: (index) => tokenBytes[index % tokenBytes.length],
    end: (tokens) => bytes(httpChunk(end(tokens))),
    whole: (tokens) => {
      const text = Array.from({ length: tokens }, (_, index) => TOKENS[index % TOKENS.length]);
      return bytes(httpChunk(ROLE + text.join("") + end(tokens)));
    },
    toolCall: (name) =>
      bytes(httpChunk(ROLE + toolCallEvents(name) + usage(ARGUMENTS.length) + DONE)),
  };
};

/** The arguments come in three pieces, as providers send them. */
const toolCallEvents = (name) => {
  const id = `call_${nextId(++calls)}`;
  const first = { index: 0, id, type: "function", function: { name, arguments: "" } };
  const pieces = ARGUMENTS.match(/.{1,3}/g) ?? [];
  const deltas = pieces.map((piece) => ({ index: 0, function: { arguments: piece } }));
  const events = [first, ...deltas].map((call) => chunk({ tool_calls: [call] }));
  return events.join("") + chunk({}, "tool_calls");
};
