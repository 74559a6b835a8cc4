import * as z from "zod";

/** One step of a turn: a text of some words, or calls of tools. */
export type PlannedStep =
  { type: "say"; words: number; pauseMs: number } | { type: "call"; tools: string[] };

/** What the provider reads of a request of the Chat Completions API. */
export const ModelRequest = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z
        .union([z.string(), z.array(z.object({ text: z.string().optional() }))])
        .nullish()
        .transform((content) =>
          typeof content === "string"
            ? content
            : (content ?? []).map(({ text = "" }) => text).join(""),
        ),
    }),
  ),
});
export type ModelRequest = z.infer<typeof ModelRequest>;

/** After the last planned step, as every turn ends with a text. */
const LAST_STEP: PlannedStep = { type: "say", words: 3, pauseMs: 0 };

/** Reports of agents come as messages of the user, which ask nothing. */
const REPORT_END = "</task_report>";

const findQuestion = ({ messages }: ModelRequest): number =>
  messages.findLastIndex(
    ({ role, content }) => role === "user" && !content.trimEnd().endsWith(REPORT_END),
  );

/**
 * Finds the next step of a turn. The last user message has its plan, such as
 * `w7: call ask and confirm then say 20 words every 15 ms`.
 */
export const findStep = (request: ModelRequest): PlannedStep => {
  const { messages } = request;
  const question = findQuestion(request);
  const answers = messages.slice(question + 1).filter(({ role }) => role === "assistant").length;
  const plan = messages[question]?.content.split(": ").at(-1)?.split(" then ") ?? [];
  const text = plan[answers];
  return text === undefined ? LAST_STEP : parseStep(text);
};

const CHAT_ID = /"chat_id":\s*"([0-9a-f-]{36})"/g;

/** @returns the ids of the agents that the results of the turn name. */
export const findAgents = (request: ModelRequest): string[] => {
  const results = request.messages
    .slice(findQuestion(request) + 1)
    .filter(({ role }) => role === "tool");
  const ids = results.flatMap(({ content }) =>
    [...content.matchAll(CHAT_ID)].map(([, id = ""]) => id),
  );
  return [...new Set(ids)];
};

const parseStep = (text: string): PlannedStep => {
  const calls = /^call (.+)$/.exec(text)?.[1];
  if (calls !== undefined) return { type: "call", tools: calls.split(" and ") };
  const [, words, pauseMs] = /^say (\d+) words(?: every (\d+) ms)?$/.exec(text) ?? [];
  return { type: "say", words: Number(words ?? 3), pauseMs: Number(pauseMs ?? 0) };
};
