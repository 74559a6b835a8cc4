import { TOKEN_LENGTH } from "../provider/answer-frames.mjs";

/**
 * @typedef {{
 *   tokens: number,
 *   tool?: "client" | "current_time",
 *   burst?: boolean,
 * }} Workload one turn: the length of its answer, and the tool that it calls first, which the client
 *   or the server runs
 */

/** @param {Workload} workload */
const createPrompt = ({ tokens, tool, burst }) =>
  [
    `hi @@tokens=${tokens}@@`,
    ...(tool ? [`@@tool=${tool}@@`] : []),
    ...(burst ? ["@@burst=yes@@"] : []),
  ].join(" ");

/** @throws {Error} unless every token has arrived once and no call is open */
const requireComplete = ({ characters, openCall }, { tokens }) => {
  if (openCall !== undefined) throw new Error("an unexpected call is open");
  if (characters !== tokens * TOKEN_LENGTH) {
    throw new Error(`${characters} characters arrived, not ${tokens * TOKEN_LENGTH}`);
  }
};

/**
 * Runs one turn of a chat. If it pauses, answers its call and waits for the rest.
 *
 * @param {import("../peers/peer.mjs").Peer} peer
 * @param {Workload} workload
 * @param {import("../peers/peer.mjs").Chat} [chat] a new one by default
 * @returns milliseconds from sending to the first text, and bytes that the client received
 * @throws {Error} if anything is missing, duplicated or wrong
 */
export const runTurn = async (peer, workload, chat) => {
  const pauses = workload.tool === "client";
  const used = chat ?? peer.createChat({ tools: pauses });
  const sentAt = performance.now();
  try {
    const sent = await peer.send(used, createPrompt(workload));
    if (pauses && sent.openCall === undefined) throw new Error("the turn did not pause");
    const result = pauses ? await peer.answer(used, sent.openCall, "42") : sent;
    requireComplete(result, workload);
    return { firstTextMs: result.firstTextAt - sentAt, bytes: result.bytes };
  } finally {
    if (!chat) peer.close(used);
  }
};
