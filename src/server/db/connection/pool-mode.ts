import type pg from "pg";
import { ServerClient, type ServerConfig } from "./server-client.mjs";

/**
 * What an address gives a connection: one session of the server for as long as it is open, of the server itself or by a
 * pooler, or another one for each transaction or statement. Those lose settings, prepared statements and LISTEN.
 */
export type PoolMode = "direct" | "session" | "transaction" | "statement";

/** With the statement's own transaction, each may come to another process of the server. */
const FIND_PROCESS = "SELECT pg_backend_pid() AS pid";
/** Times that two connections ask in turn. */
const ROUNDS = 3;

type Queryable = { query: (config: pg.QueryConfig) => Promise<pg.QueryResult | undefined> };

const findProcess = async (client: Queryable): Promise<number | undefined> =>
  ((await client.query({ text: FIND_PROCESS }))?.rows as { pid: number }[] | undefined)?.[0]?.pid;

/**
 * Whether two connections that were found to have a session each have the same one now, as a pooler's mode may change while
 * they are open. While nothing else is sent, a pooler gives both the session that was used last.
 */
export const isSameSession = async (one: Queryable, two: Queryable): Promise<boolean> =>
  (await findProcess(one)) === (await findProcess(two));

/** The driver has the number of the process that answered at the start, its type has not. */
const isAnsweredDirectly = async (client: pg.Client): Promise<boolean> =>
  (client as unknown as { processID: number }).processID === (await findProcess(client));

const allowsTransactions = async (client: pg.Client): Promise<boolean> => {
  try {
    await client.query("BEGIN");
    await client.query("ROLLBACK");
    return true;
  } catch {
    return false;
  }
};

/** Finds the mode by the processes of the server that answer. Rejects when the server is away. */
export const findPoolMode = async (config: ServerConfig): Promise<PoolMode> => {
  const clients = [new ServerClient(config), new ServerClient(config)] as const;
  for (const client of clients) client.on("error", () => undefined);
  const [one, two] = clients;
  try {
    await one.connect();
    if (await isAnsweredDirectly(one)) return "direct";
    await two.connect();
    const answered = [new Set<number | undefined>(), new Set<number | undefined>()] as const;
    for (let round = 0; round < ROUNDS; round += 1) {
      answered[0].add(await findProcess(one));
      answered[1].add(await findProcess(two));
    }
    const all = new Set([...answered[0], ...answered[1]]);
    // A session each: one process each, and not the same.
    if (all.size === 2 && answered[0].size === 1 && answered[1].size === 1) return "session";
    return (await allowsTransactions(one)) ? "transaction" : "statement";
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
};
