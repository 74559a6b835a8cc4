/** @typedef {{ tokens: number, burst: boolean, tool: string | undefined }} AnswerPlan */

const USER = '"role":"user"';
const TOOL = '"role":"tool"';
const DEFAULT_TOKENS = 20;

const readDirective = (text, name) => new RegExp(`@@${name}=(.*?)@@`).exec(text)?.[1];

/** Cuts the body at its last user message, as parsing a long history would take too long. */
const cutToLastTurn = (body) => body.slice(Math.max(0, body.lastIndexOf(USER)));

/**
 * Reads the directives of a request's last user message: `@@tokens=200@@`, `@@burst=yes@@`,
 * `@@tool=name@@`. A tool with a result is not called again.
 *
 * @param {string} body
 * @returns {AnswerPlan}
 */
export const readAnswerPlan = (body) => {
  const turn = cutToLastTurn(body);
  const tool = readDirective(turn, "tool");
  return {
    tokens: Number(readDirective(turn, "tokens") ?? DEFAULT_TOKENS),
    burst: readDirective(turn, "burst") !== undefined,
    tool: turn.includes(TOOL) ? undefined : tool,
  };
};
