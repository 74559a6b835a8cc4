import { randomUUID } from "node:crypto";
import { seedMessages, seedStatements } from "./measure/history.mjs";
import { baselinePeer } from "./peers/baseline.mjs";
import { parleyPeer } from "./peers/parley.mjs";
import { changeEmbedded, makeDataDir, startPostgres } from "./start/databases.mjs";
import { startBaseline, startParley } from "./start/start-servers.mjs";

/** @typedef {<Thing extends { stop: () => unknown }>(opening: Thing | Promise<Thing>) => Promise<Thing>} Open
 *   remembers what was started, to end it with the run */

const SHORT = 10;
const LONG = 5_000;

/** Two chats with histories of different length; `fill` brings one to its length. */
const makeHistories = async (peer, fill) => {
  const make = async (length) => {
    const chat = peer.createChat();
    await peer.send(chat, "hi @@tokens=20@@");
    peer.close(chat);
    await fill(chat, length);
    // The messages that were filled in are no news to the chat's client.
    chat.version += 1;
    return chat;
  };
  return { short: await make(SHORT), long: await make(LONG), added: LONG - SHORT };
};

/** The AI SDK in a Next.js route, with nothing stored. */
export const openBaseline = async (open, provider) => {
  const server = await open(startBaseline(provider.base));
  const chatOf = (length) => ({ id: randomUUID(), messages: seedMessages(length) });
  return {
    peer: baselinePeer(server.base),
    roots: [server.pid],
    helpers: [provider.pid],
    histories: { short: chatOf(SHORT), long: chatOf(LONG), added: LONG - SHORT },
  };
};

/** Parley on a PostgreSQL of its own, whose CPU time counts as Parley's. */
export const openOnPostgres = async (open, provider, { nodeOptions, histories }) => {
  const database = await open(startPostgres());
  const data = await open(makeDataDir());
  const server = await open(
    startParley({
      providerUrl: provider.base,
      databaseUrl: database.url,
      dataDir: data.path,
      nodeOptions,
    }),
  );
  const peer = { ...parleyPeer(server.base, server.apiKey), name: "Parley, PostgreSQL" };
  const fill = async (chat, length) => {
    for (const { sql, values } of seedStatements(chat, length)) await database.query(sql, values);
  };
  return {
    peer,
    roots: [server.pid, database.pid],
    helpers: [provider.pid],
    histories: histories ? await makeHistories(peer, fill) : undefined,
  };
};

/** Parley with its database inside the server. The histories are filled in while it is down. */
export const openEmbedded = async (open, provider, { nodeOptions, histories }) => {
  const data = await open(makeDataDir());
  const start = (options) =>
    open(startParley({ providerUrl: provider.base, dataDir: data.path, nodeOptions: options }));
  const peerOf = ({ base, apiKey }) => ({ ...parleyPeer(base, apiKey), name: "Parley, embedded" });

  let made;
  if (histories) {
    const first = await start([]);
    const statements = [];
    made = await makeHistories(peerOf(first), (chat, length) =>
      statements.push(...seedStatements(chat, length)),
    );
    await first.stop();
    await changeEmbedded(data.path, statements);
  }
  const server = await start(nodeOptions);
  return {
    peer: peerOf(server),
    roots: [server.pid],
    helpers: [provider.pid],
    histories: made,
  };
};
