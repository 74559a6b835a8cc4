import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { getNodeOptions, SERVER_PROGRAM } from "../scripts/serve.mjs";
import { type Api, createApi } from "./api";
import { createTestDatabase, TEST_DATABASE_URL, type TestDatabase } from "./test-database";
import { waitUntil } from "./wait-until";

/** The production build of the application with its own port and data. */
export type TestServer = {
  url: string;
  database: TestDatabase;
  /** REST client with the API key of the owner. */
  api: Api;
  owner: { email: string; password: string };
  /** The environment of the process. */
  env: NodeJS.ProcessEnv;
  /** Starts the server on the same data and port; resolves when it is ready. */
  start: () => Promise<void>;
  /** Kills the process with SIGKILL, like a crash. */
  kill: () => Promise<void>;
  /** Stops the process as a deployment does, and waits until it has ended. */
  stop: () => Promise<void>;
  /** The number of the process, which must be running. */
  pid: () => number;
  /** Sends a signal to the process. */
  signal: (signal: NodeJS.Signals) => void;
  /** All output of the process so far. */
  output: () => string;
  /** Stops the server and removes its data. */
  remove: () => Promise<void>;
};

/** The first start creates the embedded database, which takes long on a slow machine. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

type ServerOptions = {
  /** False: the first visitor creates the account of the owner. */
  withOwner?: boolean;
  /** The server removes it with itself; by default a new one. */
  database?: TestDatabase;
  /** Additional environment variables. */
  settings?: Record<string, string>;
};

export const createTestServer = async ({
  withOwner = true,
  database: givenDatabase,
  settings = {},
}: ServerOptions = {}): Promise<TestServer> => {
  const database = givenDatabase ?? (await createTestDatabase(TEST_DATABASE_URL));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const owner = { email: "owner@example.org", password: randomBytes(12).toString("base64url") };
  const apiKey = randomBytes(32).toString("base64url");
  const env: NodeJS.ProcessEnv = {
    ...getSystemVariables(),
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
    NEXT_TELEMETRY_DISABLED: "1",
    ...settings,
  };
  let running: Running | undefined;
  let printedOutput = "";

  const start = async (): Promise<void> => {
    const options = getNodeOptions(env.DATABASE_URL);
    const child = spawn(process.execPath, [...options, SERVER_PROGRAM, "start"], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = once(child, "close");
    running = { child, exited };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => (printedOutput += chunk.toString()));
    }
    const exitedEarly = exited.then(() => {
      throw new Error(`the server exited while starting:\n${printedOutput}`);
    });
    // After the start nothing awaits this promise, so its rejection would be unhandled.
    exitedEarly.catch(() => undefined);
    await Promise.race([
      waitUntil("the server is ready", START_TIMEOUT_MS, () => isReady(url)),
      exitedEarly,
    ]);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const stopping = running;
    running = undefined;
    if (!stopping) return;
    stopping.child.kill(signal);
    const killTimer = setTimeout(() => stopping.child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await stopping.exited;
    clearTimeout(killTimer);
  };

  return {
    url,
    database,
    owner,
    env,
    api: createApi(url, apiKey),
    start,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    pid: () => {
      const pid = running?.child.pid;
      if (pid === undefined) throw new Error("the server is not running");
      return pid;
    },
    signal: (signal) => void running?.child.kill(signal),
    output: () => printedOutput,
    remove: async () => {
      await end("SIGTERM");
      await database.remove();
    },
  };
};

type Running = { child: ChildProcess; exited: Promise<unknown> };

const isReady = async (url: string): Promise<true | undefined> =>
  (await fetch(`${url}/readyz`)).ok || undefined;

/** Environment variables of the system, without settings of the application. */
const getSystemVariables = (): Record<string, string> =>
  Object.fromEntries(
    ["PATH", "HOME", "TMPDIR", "LANG", "TZ"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Listens on a free loopback port. @returns the port. */
export const listenOnLoopback = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
};

const findFreePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  await once(server, "close");
  return port;
};
