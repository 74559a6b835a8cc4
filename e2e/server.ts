import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { getNodeOptions, SERVER_PROGRAM } from "../scripts/serve.mjs";
import { type Api, createApi } from "./api";
import { HANG_MS } from "./limits";
import { createTestDatabase, TEST_DATABASE_URL, type TestDatabase } from "./test-database";
import { waitUntil } from "./wait-until";

/** The production build of the application with its own port and data. */
export type TestServer = {
  url: string;
  database: TestDatabase;
  owner: { email: string; password: string };
  /** Of the owner. */
  apiKey: string;
  /** REST client with this key. */
  api: Api;
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

/** A start has more to do than other things that are waited for. */
const START_MS = 2 * HANG_MS;

/** A test does too little in the embedded database for V8's slower compiler of WebAssembly, which takes a quarter of a start. */
const QUICK_START = ["--liftoff-only"];

type ServerOptions = {
  /** False: nothing is there at the first start, and the first visitor creates the account of the owner. */
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
  const content = withOwner ? "schema" : "nothing";
  const database = givenDatabase ?? (await createTestDatabase(TEST_DATABASE_URL, content));
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
    const child = spawn(process.execPath, [...options, ...QUICK_START, SERVER_PROGRAM, "start"], {
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
      waitUntil("the server is ready", START_MS, () => isReady(url)),
      exitedEarly,
    ]);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const stopping = running;
    running = undefined;
    if (!stopping) return;
    stopping.child.kill(signal);
    const killTimer = setTimeout(() => stopping.child.kill("SIGKILL"), HANG_MS);
    await stopping.exited;
    clearTimeout(killTimer);
  };

  return {
    url,
    database,
    owner,
    apiKey,
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

/** Listens on a free loopback port, or on the given one. @returns the port. */
export const listenOnLoopback = async (server: Server, givenPort = 0): Promise<number> => {
  server.listen(givenPort, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
};

/** Linux gives these to no connection by itself, so that a server that was stopped finds its port free again. */
const PORTS = { from: 10_000, to: 32_000 };

export const findFreePort = async (): Promise<number> => {
  const server = createServer();
  try {
    const port = await listenOnLoopback(server, randomInt(PORTS.from, PORTS.to));
    server.close();
    await once(server, "close");
    return port;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return findFreePort();
  }
};
