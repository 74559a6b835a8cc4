import { hostname } from "node:os";
import { runProgram } from "./run-program.mjs";

/**
 * Where to listen. Shells and container runtimes put the machine's own name into HOSTNAME;
 * nobody chose that as an address to listen on.
 */
const address = () => {
  const { HOSTNAME, PORT } = process.env;
  const host = !HOSTNAME || HOSTNAME === hostname() ? "127.0.0.1" : HOSTNAME;
  return { HOSTNAME: host, PORT: PORT || "3000" };
};

/**
 * Node's options for the server. With the embedded database in it, its memory is what people see
 * first: V8 would let garbage grow to a multiple of what lives before it collects it. With a server
 * of databases there is room for what a turn makes, so that little of it is copied around.
 */
export const serverOptions = (databaseUrl) =>
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
  const { HOSTNAME, PORT } = address();
  // Not through npx: a signal would end that and leave the server.
  const next = ["node_modules/next/dist/bin/next", command, "-H", HOSTNAME, "-p", PORT];
  const options = command === "start" ? serverOptions(process.env.DATABASE_URL) : [];
  // Next would end the process as soon as no request is open; the worker's steps may need longer.
  return runProgram(node, [...options, ...next], { HOSTNAME, PORT, NEXT_MANUAL_SIG_HANDLE: "1" });
};
