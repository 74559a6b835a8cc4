import { randomUUID } from "node:crypto";
import { fillLargeData } from "../src/test/large-data.mjs";
import { createSeedMessages, createSeedStatements } from "./measure/history.mjs";
import { createBaselinePeer } from "./peers/baseline.mjs";
import { createParleyPeer } from "./peers/parley.mjs";
import {
  createDataDir,
  openEmbeddedDatabase,
  startPostgres,
  updateEmbedded,
} from "./start/databases.mjs";
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
export const openOnPostgres = async (
  open,
  provider,
  { histories, server: ofServer, ...options },
) => {
  const database = await open(startPostgres(ofServer));
  const data = await open(createDataDir());
  const server = await open(
    startParley({
      providerUrl: provider.base,
      databaseUrl: database.url,
      dataDir: data.path,
      ...options,
    }),
  );
  const peer = { ...createParleyPeer(server.base, server.apiKey), name: "Parley, PostgreSQL" };
  const fill = async (chat, length) => {
    for (const { sql, values } of createSeedStatements(chat, length))
      await database.query(sql, values);
  };
  return {
    peer,
    server,
    database,
    roots: [server.pid, database.pid],
    helpers: [provider.pid],
    histories: histories ? await createHistories(peer, fill) : undefined,
  };
};

/** Starts Parley with the embedded database. Histories are written while the server is stopped. */
export const openEmbedded = async (open, provider, { histories, ...options }) => {
  const data = await open(createDataDir());
  const start = (nodeOptions) =>
    open(startParley({ providerUrl: provider.base, dataDir: data.path, ...options, nodeOptions }));
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
  const server = await start(options.nodeOptions);
  return {
    peer: createPeer(server),
    server,
    roots: [server.pid],
    helpers: [provider.pid],
    histories: seededHistories,
  };
};

/** Fills the database of the only user. */
const fillForUser = async ({ query }) => {
  const { rows } = await query(`SELECT id FROM "user"`, []);
  const data = await fillLargeData(query, rows[0].id);
  // Otherwise the databases do it by themselves during the measurement.
  await query("VACUUM (ANALYZE)", []);
  return data;
};

/** Starts Parley on PostgreSQL with 20,000 chats of its user. */
export const openLargeOnPostgres = async (open, provider) => {
  const database = await open(startPostgres());
  const dataDir = (await open(createDataDir())).path;
  const options = { providerUrl: provider.base, databaseUrl: database.url, dataDir };
  const server = await open(startParley(options));
  return {
    name: "Parley, PostgreSQL",
    data: await fillForUser(database),
    server: { ...server, roots: [server.pid, database.pid] },
  };
};

/** Starts Parley with an embedded database with 20,000 chats of its user. */
export const openLargeEmbedded = async (open, provider) => {
  const dataDir = (await open(createDataDir())).path;
  const options = { providerUrl: provider.base, dataDir };
  // Its first start creates the user.
  await (await open(startParley(options))).stop();
  const database = await openEmbeddedDatabase(dataDir);
  const data = await fillForUser(database);
  await database.stop();
  const server = await open(startParley(options));
  return { name: "Parley, embedded", data, server: { ...server, roots: [server.pid] } };
};
