import type { PlannedStep } from "./answer-plan";

const WORDS = ["alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"];

export type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };
const USAGE: Usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

type NewCall = { id: string; name?: string; args: string };

/** The server-sent events of one answer. */
export type AnswerEvents = {
  /** The events before the finish reason. */
  deltas: string[];
  end: (usage?: object) => string;
  /** The text that the deltas have. */
  text: string;
};

export const formatEvent = (value: unknown): string =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;

const formatDelta = (number: number, delta: object, finish: string | null = null): string =>
  formatEvent({
    id: `chatcmpl-${number}`,
    object: "chat.completion.chunk",
    created: 1_750_000_000,
    model: "chaos",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

const formatEnd = (number: number, finish: string, usage: object): string =>
  formatDelta(number, {}, finish) +
  formatEvent({ id: `chatcmpl-${number}`, choices: [], usage }) +
  formatEvent("[DONE]");

/** The text of an answer begins with the number of its call, by which it is found in a history. */
export const ANSWER_NUMBER = /^#(\d+) /;

const createText = (number: number, words: number): AnswerEvents => {
  const pieces = Array.from({ length: words }, (_, index) => `${WORDS[index % WORDS.length]} `);
  const tokens = [`#${number} `, ...pieces];
  return {
    deltas: tokens.map((content) => formatDelta(number, { content })),
    end: (usage = USAGE) => formatEnd(number, "stop", usage),
    text: tokens.join(""),
  };
};

export const createCalls = (number: number, calls: readonly NewCall[]): AnswerEvents => ({
  deltas: calls.flatMap(({ id, name, args }, index) => {
    const [first, rest] = [args.slice(0, 5), args.slice(5)];
    const call = { index, id, type: "function", function: { name, arguments: first } };
    return [
      formatDelta(number, { tool_calls: [call] }),
      formatDelta(number, { tool_calls: [{ index, function: { arguments: rest } }] }),
    ];
  }),
  end: (usage = USAGE) => formatEnd(number, "tool_calls", usage),
  text: "",
});

/** What agents do, which a fault can interrupt. */
const AGENT_PLANS = [
  "say 20 words every 20 ms",
  "call write_file and current_time then say 5 words",
  "call list_directory then say 10 words every 10 ms",
  "say 3 words",
];
/** Some waits are over before their agents are. */
const WAIT_SECONDS = [1, 60];

type Call = { number: number; index: number; agents: readonly string[] };

const createArguments = (tool: string, { number, index, agents }: Call): object => {
  switch (tool) {
    case "write_file":
      return { path: `file-${number}.txt`, content: `by #${number}` };
    case "spawn_agent":
    case "delegate":
      return {
        prompt: `a${number}.${index}: ${AGENT_PLANS[(number + index) % AGENT_PLANS.length]}`,
      };
    case "wait_agent":
      return { chat_ids: agents, timeout_seconds: WAIT_SECONDS[number % WAIT_SECONDS.length] };
    default:
      return {};
  }
};

/** Creates the events of the answer to the call with this number. */
export const createAnswerEvents = (
  number: number,
  step: PlannedStep,
  agents: readonly string[],
): AnswerEvents =>
  step.type === "say"
    ? createText(number, step.words)
    : createCalls(
        number,
        step.tools.map((name, index) => ({
          id: `call_${number}_${index}`,
          name,
          args: JSON.stringify(createArguments(name, { number, index, agents })),
        })),
      );
