/** @typedef {{ tokens: number, burst: boolean, tool: string | undefined }} AnswerPlan */

const USER = '"role":"user"';
const TOOL = '"role":"tool"';
const DEFAULT_TOKENS = 20;

const directive = (text, name) => new RegExp(`@@${name}=(.*?)@@`).exec(text)?.[1];

/** The body from its last user message on. Parsing a long history would cost more than answering. */
const lastTurn = (body) => body.slice(Math.max(0, body.lastIndexOf(USER)));

/**
 * What a request's last user message asks for: `@@tokens=200@@`, `@@burst=yes@@`, `@@tool=name@@`.
 * A tool that has been answered is not called again.
 *
 * @param {string} body
 * @returns {AnswerPlan}
 */
export const answerPlan = (body) => {
  const turn = lastTurn(body);
  const tool = directive(turn, "tool");
  return {
    tokens: Number(directive(turn, "tokens") ?? DEFAULT_TOKENS),
    burst: directive(turn, "burst") !== undefined,
    tool: turn.includes(TOOL) ? undefined : tool,
  };
};
