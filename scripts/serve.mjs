import { hostname } from "node:os";
import { runServer } from "./run-program.mjs";

/** The bundle of the web server, see build-programs.mjs. */
export const SERVER_PROGRAM = ".next/programs/server-process.mjs";

/**
 * Returns the address to listen on. Shells and container runtimes set HOSTNAME to the machine's
 * name, which is not meant as that address.
 */
const getAddress = () => {
  const { HOSTNAME, PORT } = process.env;
  const host = !HOSTNAME || HOSTNAME === hostname() ? "127.0.0.1" : HOSTNAME;
  return { HOSTNAME: host, PORT: PORT || "3000" };
};

/**
 * Returns Node's options for the server. With the embedded database, they limit memory: V8 would
 * let garbage grow to a multiple of the live objects. With PostgreSQL, the young generation has
 * room for the objects of a turn, so that few of them are copied.
 */
export const getNodeOptions = (databaseUrl) =>
  databaseUrl
    ? ["--max-semi-space-size=32"]
    : ["--max-semi-space-size=8", "--heap-growing-percent=50"];

/**
 * Runs the server until it ends.
 *
 * @param command `start` for the production build, `dev` for development.
 * @returns its exit code.
 */
export const serve = (node, command) => {
  const { HOSTNAME, PORT } = getAddress();
  const options = command === "start" ? getNodeOptions(process.env.DATABASE_URL) : [];
  const env = { HOSTNAME, PORT, NODE_ENV: command === "start" ? "production" : "development" };
  return runServer(node, [...options, SERVER_PROGRAM, command], env);
};
