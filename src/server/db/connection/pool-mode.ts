import type pg from "pg";
import { ServerClient, type ServerConfig } from "./server-client.mjs";

/**
 * What an address gives a connection: one session of the server for as long as it is open, or, through poolers, another
 * one for each transaction or statement. Those lose settings, prepared statements and LISTEN.
 */
export type PoolMode = "session" | "transaction" | "statement";

/** With the statement's own transaction, each may come to another process of the server. */
const FIND_PROCESS = "SELECT pg_backend_pid() AS pid";
/** Times that two connections ask in turn. */
const ROUNDS = 3;

const findProcess = async (client: pg.Client): Promise<number | undefined> =>
  (await client.query<{ pid: number }>(FIND_PROCESS)).rows[0]?.pid;

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
    if (await isAnsweredDirectly(one)) return "session";
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
