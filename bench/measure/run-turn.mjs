import { TOKEN_LENGTH } from "../provider/answer-frames.mjs";

/**
 * @typedef {{
 *   tokens: number,
 *   pauses?: boolean,
 *   burst?: boolean,
 * }} Workload what one turn is: its answer's length, and whether it stops for a client's tool first
 */

/** @param {Workload} workload */
const promptOf = ({ tokens, pauses, burst }) =>
  [
    `hi @@tokens=${tokens}@@`,
    ...(pauses ? ["@@tool=client@@"] : []),
    ...(burst ? ["@@burst=yes@@"] : []),
  ].join(" ");

/** All that was asked for has arrived, once. */
const requireWhole = ({ characters, openCall }, { tokens }) => {
  if (openCall !== undefined) throw new Error("a call is open where none was expected");
  if (characters !== tokens * TOKEN_LENGTH) {
    throw new Error(`${characters} characters arrived, not ${tokens * TOKEN_LENGTH}`);
  }
};

/**
 * One turn of a chat, and for one that pauses, the answer to its call and the turn's second half.
 *
 * @param {import("../peers/peer.mjs").Peer} peer
 * @param {Workload} workload
 * @param {import("../peers/peer.mjs").Chat} [chat] a new one by default
 * @returns milliseconds from sending to the first text, and bytes that the client received
 * @throws {Error} when anything is missing, doubled or wrong
 */
export const runTurn = async (peer, workload, chat) => {
  const used = chat ?? peer.createChat({ tools: workload.pauses ?? false });
  const sentAt = performance.now();
  try {
    const sent = await peer.send(used, promptOf(workload));
    if (workload.pauses && sent.openCall === undefined) throw new Error("the turn did not pause");
    const rest = workload.pauses ? await peer.answer(used, sent.openCall, "42") : sent;
    requireWhole(rest, workload);
    return { firstTextMs: rest.firstTextAt - sentAt, bytes: rest.bytes };
  } finally {
    if (!chat) peer.close(used);
  }
};
