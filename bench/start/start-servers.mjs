import { bundleProgram } from "../../scripts/bundle-program.mjs";
import { findFreePort } from "../../scripts/find-free-port.mjs";
import { getNodeOptions, SERVER_PROGRAM } from "../../scripts/serve.mjs";
import { startProgram } from "./start-program.mjs";

const WORKER = "src/server/app/worker-process.ts";
const NEXT = "node_modules/next/dist/bin/next";
const HOST = "127.0.0.1";

/** For a server that runs for minutes and listens on loopback only. */
const API_KEY = "bench-key-0123456789-0123456789-0123456789";
const ACCOUNT = {
  PARLEY_SECRET: "bench-secret-0123456789-0123456789-0123456789",
  PARLEY_OWNER_EMAIL: "bench@example.com",
  PARLEY_OWNER_PASSWORD: "bench-password",
  PARLEY_API_KEY: API_KEY,
};

/** @typedef {import("./start-program.mjs").Program & { base: string }} Server */

/** @returns {Promise<Server>} */
export const startProvider = async () => {
  const program = startProgram(["bench/provider/fake-provider.mjs"]);
  const port = await program.readFirstLine();
  return { ...program, base: `http://${HOST}:${port}/v1` };
};

const startServer = async ({ args, env, ready }) => {
  const port = String(await findFreePort());
  const program = startProgram(args(port), { ...env, HOSTNAME: HOST, PORT: port });
  const base = `http://${HOST}:${port}`;
  await program.waitForResponse(base + ready);
  return { ...program, base };
};

/** @returns {Promise<Server>} */
export const startBaseline = (providerUrl) =>
  startServer({
    args: (port) => [NEXT, "start", "bench/baseline", "-H", HOST, "-p", port],
    env: { OPENAI_COMPATIBLE_BASE_URL: providerUrl },
    ready: "/api/chat",
  });

/**
 * @typedef {{ providerUrl: string, databaseUrl?: string, dataDir: string, nodeOptions?: string[], workerConcurrency?: string, logLevel?: string, role?: "all" | "web" }} ParleyOptions
 *   without a `databaseUrl`, the server uses the embedded database in `dataDir`
 */

/** @param {ParleyOptions} options */
const createParleyEnv = ({ providerUrl, databaseUrl = "", dataDir, ...options }) => ({
  ...ACCOUNT,
  DATABASE_URL: databaseUrl,
  PARLEY_DATA_DIR: dataDir,
  PARLEY_MODELS: "openai-compatible/fake-model",
  OPENAI_COMPATIBLE_BASE_URL: providerUrl,
  OPENAI_COMPATIBLE_API_KEY: "none",
  ...(options.workerConcurrency && { PARLEY_WORKER_CONCURRENCY: options.workerConcurrency }),
  // A title is one more model call per new chat, which the baseline does not make.
  PARLEY_TITLES: "off",
  LOG_LEVEL: options.logLevel ?? "warn",
});

/**
 * Starts Parley's production server.
 *
 * @param {ParleyOptions} options
 * @returns {Promise<Server & { apiKey: string }>}
 */
export const startParley = async (options) => {
  const { databaseUrl = "", nodeOptions = [], role = "all" } = options;
  const server = await startServer({
    args: () => [...getNodeOptions(databaseUrl), ...nodeOptions, SERVER_PROGRAM, "start"],
    env: { ...createParleyEnv(options), PARLEY_ROLE: role },
    ready: "/readyz",
  });
  return { ...server, apiKey: API_KEY };
};

/**
 * Starts a worker without a web server. It is ready when it claims chats, which nothing shows.
 *
 * @param {ParleyOptions} options
 */
export const startParleyWorker = async (options) =>
  startProgram([...getNodeOptions(options.databaseUrl), await bundleProgram(WORKER)], {
    ...createParleyEnv(options),
    PARLEY_ROLE: "worker",
  });
