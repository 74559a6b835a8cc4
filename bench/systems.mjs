import { randomUUID } from "node:crypto";
import { createSeedMessages, createSeedStatements } from "./measure/history.mjs";
import { createBaselinePeer } from "./peers/baseline.mjs";
import { createParleyPeer } from "./peers/parley.mjs";
import { updateEmbedded, createDataDir, startPostgres } from "./start/databases.mjs";
import { startBaseline, startParley } from "./start/start-servers.mjs";

/** @typedef {<Resource extends { stop: () => unknown }>(opening: Resource | Promise<Resource>) => Promise<Resource>} Open
 *   registers a started resource, which is stopped after the run */

const SHORT_HISTORY = 10;
const LONG_HISTORY = 5_000;

/** Creates two chats with histories of different length; `fill` adds the messages. */
const createHistories = async (peer, fill) => {
  const create = async (length) => {
    const chat = peer.createChat();
    await peer.send(chat, "hi @@tokens=20@@");
    peer.close(chat);
    await fill(chat, length);
    // The chat's client need not receive the messages that were added.
    chat.version += 1;
    return chat;
  };
  return {
    short: await create(SHORT_HISTORY),
    long: await create(LONG_HISTORY),
    added: LONG_HISTORY - SHORT_HISTORY,
  };
};

/** Starts the AI SDK in a Next.js route, which stores nothing. */
export const openBaseline = async (open, provider) => {
  const server = await open(startBaseline(provider.base));
  const createChat = (length) => ({ id: randomUUID(), messages: createSeedMessages(length) });
  return {
    peer: createBaselinePeer(server.base),
    roots: [server.pid],
    helpers: [provider.pid],
    histories: {
      short: createChat(SHORT_HISTORY),
      long: createChat(LONG_HISTORY),
      added: LONG_HISTORY - SHORT_HISTORY,
    },
  };
};

/** Starts Parley with its own PostgreSQL, whose CPU time counts as Parley's. */
export const openOnPostgres = async (open, provider, { nodeOptions, histories }) => {
  const database = await open(startPostgres());
  const data = await open(createDataDir());
  const server = await open(
    startParley({
      providerUrl: provider.base,
      databaseUrl: database.url,
      dataDir: data.path,
      nodeOptions,
    }),
  );
  const peer = { ...createParleyPeer(server.base, server.apiKey), name: "Parley, PostgreSQL" };
  const fill = async (chat, length) => {
    for (const { sql, values } of createSeedStatements(chat, length))
      await database.query(sql, values);
  };
  return {
    peer,
    roots: [server.pid, database.pid],
    helpers: [provider.pid],
    histories: histories ? await createHistories(peer, fill) : undefined,
  };
};

/** Starts Parley with the embedded database. Histories are written while the server is stopped. */
export const openEmbedded = async (open, provider, { nodeOptions, histories }) => {
  const data = await open(createDataDir());
  const start = (options) =>
    open(startParley({ providerUrl: provider.base, dataDir: data.path, nodeOptions: options }));
  const createPeer = ({ base, apiKey }) => ({
    ...createParleyPeer(base, apiKey),
    name: "Parley, embedded",
  });

  let seededHistories;
  if (histories) {
    const first = await start([]);
    const statements = [];
    seededHistories = await createHistories(createPeer(first), (chat, length) =>
      statements.push(...createSeedStatements(chat, length)),
    );
    await first.stop();
    await updateEmbedded(data.path, statements);
  }
  const server = await start(nodeOptions);
  return {
    peer: createPeer(server),
    roots: [server.pid],
    helpers: [provider.pid],
    histories: seededHistories,
  };
};
