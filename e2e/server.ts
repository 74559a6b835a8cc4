import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { type Api, createApi } from "./api";
import { createOwnDatabase, type OwnDatabase } from "./own-database";
import { until } from "./until";

/** The production build of the application, on a port and with data of its own. */
export type Server = {
  url: string;
  database: OwnDatabase;
  /** Calls of REST by the owner's key. */
  api: Api;
  owner: { email: string; password: string };
  /** Starts it on the same data and the same port; resolves when it answers. */
  start: () => Promise<void>;
  /** Ends it at once, as a crash would. */
  kill: () => Promise<void>;
  /** Everything that it has printed. */
  output: () => string;
  /** Ends it and removes what it has stored. */
  remove: () => Promise<void>;
};

/** A first start makes the embedded database, on a machine that does other things too. */
const START_MS = 60_000;
const STOP_MS = 30_000;

type ServerOptions = {
  /** False leaves it to the first visitor to make the owner's account. */
  withOwner?: boolean;
  /** Settings beside those that a server needs. */
  settings?: Record<string, string>;
};

export const createServerOfOwn = async ({
  withOwner = true,
  settings = {},
}: ServerOptions = {}): Promise<Server> => {
  const database = await createOwnDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const owner = { email: "owner@example.org", password: randomBytes(12).toString("base64url") };
  const apiKey = randomBytes(32).toString("base64url");
  const env: NodeJS.ProcessEnv = {
    ...systemVariables(),
    ...database.env,
    ...(withOwner && {
      PARLEY_OWNER_EMAIL: owner.email,
      PARLEY_OWNER_PASSWORD: owner.password,
      PARLEY_API_KEY: apiKey,
    }),
    PARLEY_DATA_DIR: database.dataDir,
    HOSTNAME: "127.0.0.1",
    PORT: String(port),
    NODE_ENV: "production",
    NEXT_MANUAL_SIG_HANDLE: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    ...settings,
  };
  let running: Running | undefined;
  let printed = "";

  const start = async (): Promise<void> => {
    const child = spawn(
      process.execPath,
      ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(port)],
      { env, stdio: ["ignore", "pipe", "pipe"] },
    );
    const ended = once(child, "close");
    running = { child, ended };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    }
    const endedEarly = ended.then(() => {
      throw new Error(`the server ended while it started:\n${printed}`);
    });
    // Once it has started, its end is no failure.
    endedEarly.catch(() => undefined);
    await Promise.race([until("the server's answer", START_MS, () => isReady(url)), endedEarly]);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = running;
    running = undefined;
    if (!ending) return;
    ending.child.kill(signal);
    const late = setTimeout(() => ending.child.kill("SIGKILL"), STOP_MS);
    await ending.ended;
    clearTimeout(late);
  };

  return {
    url,
    database,
    owner,
    api: createApi(url, apiKey),
    start,
    kill: () => end("SIGKILL"),
    output: () => printed,
    remove: async () => {
      await end("SIGTERM");
      await database.remove();
    },
  };
};

type Running = { child: ChildProcess; ended: Promise<unknown> };

const isReady = async (url: string): Promise<true | undefined> =>
  (await fetch(`${url}/readyz`)).ok || undefined;

/** What every program of this machine gets; settings of the application are not among it. */
const systemVariables = (): Record<string, string> =>
  Object.fromEntries(
    ["PATH", "HOME", "TMPDIR", "LANG", "TZ"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
};
