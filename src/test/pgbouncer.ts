import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServerConfig, ServerClient } from "@/server/db/connection/server-client.mjs";
// eslint-disable-next-line no-restricted-imports -- the scripts lie outside of `src`, for which `@` stands
import { findFreePort } from "../../scripts/find-free-port.mjs";

/** Where Debian has it; npm has no package of it. */
const PROGRAM = "/usr/sbin/pgbouncer";
/** It does not run as root. */
const NOBODY = 65_534;

export const hasPgBouncer: boolean = existsSync(PROGRAM);

export { findFreePort };

export type PgBouncerMode = "session" | "transaction" | "statement";

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

type PgBouncerOptions = { settings?: string; files?: Record<string, string>; port?: number };

/**
 * Starts PgBouncer in front of the server of a database.
 *
 * @param options further lines of its settings, and files beside them, whose folder it is started in.
 * @returns the address of the same database through it.
 */
export const startPgBouncer = async (
  databaseUrl: string,
  mode: PgBouncerMode,
  { settings = "", files = {}, port: fixedPort }: PgBouncerOptions = {},
) => {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const home = mkdtempSync(path.join(tmpdir(), "parley-pgbouncer-"));
  chmodSync(home, 0o755);
  const ownPort = fixedPort ?? (await findFreePort());
  const users = path.join(home, "users");
  const account = [username, password].map((part) => quote(decodeURIComponent(part)));
  writeFileSync(users, `${account.join(" ")}\n`);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(home, name), text);
  const config = path.join(home, "config.ini");
  const toText = (poolMode: PgBouncerMode): string => `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${poolMode}
default_pool_size = 20
max_client_conn = 200
${settings}
`;
  writeFileSync(config, toText(mode));
  const runAs = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(PROGRAM, [config], {
    ...runAs,
    cwd: home,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, "exit");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${ownPort}`;
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
    rmSync(home, { recursive: true });
  };
  await waitUntilOpen(url.toString(), () => output).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  /** Changes the mode while it runs. */
  const change = (poolMode: PgBouncerMode): void => {
    writeFileSync(config, toText(poolMode));
    child.kill("SIGHUP");
  };
  return { url: url.toString(), home, change, close };
};

const START_MS = 10_000;

const waitUntilOpen = async (connectionString: string, readOutput: () => string): Promise<void> => {
  const endsAt = performance.now() + START_MS;
  for (;;) {
    const client = new ServerClient(createServerConfig(connectionString, "DATABASE_URL"));
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (performance.now() > endsAt) throw new Error(readOutput(), { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
};
