/**
 * @typedef {{
 *   tokens: number,
 *   burst: boolean,
 *   tool: string | undefined,
 *   calls: number,
 *   prompt: string | undefined,
 *   mark: string | undefined,
 * }} AnswerPlan `calls` is how often the tool is called, and `prompt` what each call gives to an agent
 */

const USER = '"role":"user"';
const TOOL = '"role":"tool"';
const DEFAULT_TOKENS = 20;

const readDirective = (text, name) => new RegExp(`@@${name}=(.*?)@@`).exec(text)?.[1];

/** Cuts the body at its last user message, as parsing a long history would take too long. */
const cutToLastTurn = (body) => body.slice(Math.max(0, body.lastIndexOf(USER)));

/**
 * Reads the directives of a request's last user message: `@@tokens=200@@`, `@@burst=yes@@`,
 * `@@tool=name@@`, `@@calls=5@@`, `@@mark=name@@`, and `@@agent=…@@` for the prompt of an agent, in which `[` and `]`
 * stand for `@@`. A tool with a result is not called again.
 *
 * @param {string} body
 * @returns {AnswerPlan}
 */
export const readAnswerPlan = (body) => {
  const turn = cutToLastTurn(body);
  const tool = readDirective(turn, "tool");
  const hasResult = turn.includes(TOOL);
  return {
    tokens: Number(readDirective(turn, "tokens") ?? DEFAULT_TOKENS),
    burst: readDirective(turn, "burst") !== undefined,
    tool: hasResult ? undefined : tool,
    calls: Number(readDirective(turn, "calls") ?? 1),
    prompt: readDirective(turn, "agent")?.replaceAll(/[[\]]/g, "@@"),
    mark: hasResult ? undefined : readDirective(turn, "mark"),
  };
};
