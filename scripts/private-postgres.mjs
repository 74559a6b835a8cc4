import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import pg from "pg";
import { findFreePort } from "./find-free-port.mjs";
import { findNpmPostgres, findSystemPostgres } from "./postgres-binaries.mjs";

const START_TIMEOUT_MS = 30_000;
// Maps upper and lower case of all letters, as production servers do. Only Linux always has it.
const LOCALE = process.platform === "linux" ? "--locale=C.UTF-8" : "--no-locale";

/** A test database need not survive a crash. */
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  unix_socket_directories: "",
  listen_addresses: "127.0.0.1",
  timezone: "UTC",
  // Tests read plans, which depend on statistics: these change only by a test's own ANALYZE.
  autovacuum: "off",
};

/** PostgreSQL refuses to run as root, so for root it runs as an account that every system has. */
const findUnprivilegedUser = () => {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  const account = accounts.find(({ name }) => name === "nobody") ?? accounts.at(-1);
  if (!account)
    throw new Error("PostgreSQL does not run as root, and the system has no other account");
  return { uid: account.uid, gid: account.gid };
};

const isAccessibleToAll = (folder) =>
  (statSync(folder).mode & 0o001) !== 0 &&
  (dirname(folder) === folder || isAccessibleToAll(dirname(folder)));

const createHome = (user) => {
  const parent = [tmpdir(), "/tmp", "/var/tmp"].find(
    (folder) => existsSync(folder) && (!user || isAccessibleToAll(folder)),
  );
  if (!parent) throw new Error("No temporary folder is accessible to another user");
  const home = mkdtempSync(join(parent, "parley-postgres-"));
  if (user) chownSync(home, user.uid, user.gid);
  return home;
};

/**
 * Copies the package, as the server's user may not be allowed to read it. Creates the links between
 * its libraries, as npm may not have run its install script.
 */
const copyFromNpm = (folder, home) => {
  const native = join(home, "native");
  cpSync(join(folder, "native"), native, { recursive: true });
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    const link = join(home, target);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
  const bin = join(native, "bin");
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
  return bin;
};

const findBinaries = (choice, home) => {
  const version = /^\d+$/.test(choice) ? choice : undefined;
  const system = choice === "npm" || version ? undefined : findSystemPostgres();
  if (system) return system;
  const folder = choice === "system" ? undefined : findNpmPostgres(version);
  if (!folder) {
    const remedy = version
      ? "run `npm ci --prefix scripts/postgres-versions`"
      : "install it, or set TEST_DATABASE_URL";
    throw new Error(`PostgreSQL ${version ?? ""} was not found: ${remedy}`);
  }
  return copyFromNpm(folder, home);
};

/** @returns the password of the superuser. */
const initialize = ({ bin, home, user }) => {
  const password = randomBytes(16).toString("hex");
  const passwordFile = join(home, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const { status, stderr, error } = spawnSync(
    join(bin, "initdb"),
    [
      "-D",
      join(home, "data"),
      "-U",
      "parley",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      LOCALE,
      "--no-sync",
    ],
    { ...user, cwd: home, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`initdb failed: ${stderr ?? error}`);
  return password;
};

/** Copies the data of a server that is paused, and makes the copy follow it. @returns the password. */
const copyPrimary = (primary, { home, user }) => {
  const data = join(home, "data");
  // With the owners and modes of the files.
  const { status, stderr } = spawnSync("cp", ["-a", primary.data, data], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the primary could not be copied: ${stderr}`);
  const { hostname, port, username, password } = new URL(primary.url);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  const settings = `primary_conninfo = '${conninfo}'\n`;
  writeFiles({ "standby.signal": "", "postgresql.auto.conf": settings }, data, user);
  return password;
};

/** Kills the server with all its processes at once, as a machine that fails. */
const killAll = ({ pid }) => {
  const { stdout } = spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
  for (const each of [pid, ...(stdout.match(/\d+/g) ?? []).map(Number)]) {
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // It has ended by itself meanwhile.
    }
  }
};

const writeFiles = (files, folder, user) => {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    if (user) chownSync(join(folder, name), user.uid, user.gid);
  }
};

const isReady = async (url) => {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const waitUntilReady = async (server, url, log) => {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start:\n${readFileSync(log, "utf8")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const spawnServer = (bin, { home, user, settings, env }) =>
  spawn(
    "/bin/sh",
    [
      "-c",
      'exec "$@" >log 2>&1',
      "sh",
      join(bin, "postgres"),
      "-D",
      join(home, "data"),
      ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    // In a process group of its own, so that Ctrl-C does not end it before the tests.
    { ...user, cwd: home, stdio: "ignore", detached: true, env: { ...process.env, ...env } },
  );

/**
 * Starts a private PostgreSQL on a free loopback port, with its data in a temporary folder.
 *
 * @param {string} [choice] `system`, `npm` or an earlier major version for these binaries only; by default those of
 *   PARLEY_TEST_POSTGRES, or the system's if it has any.
 * @param {{ settings?: Record<string, string>, env?: Record<string, string>, files?: Record<string, string>,
 *   primary?: { url: string, data: string } }} [options] settings of the server, variables of its processes, files of its data
 *   directory, which only it can read, and a server that is paused, whose standby it is
 * @returns its URL, the folders of its programs and its data, the file of its log, `write` for further files, `stop`, which ends it and
 * removes its files, and, for tests of outages, `pause`, which ends it, `crash`, which kills it, and `resume`, which starts it again on
 * its data.
 */
export const startPrivatePostgres = async (
  choice = process.env.PARLEY_TEST_POSTGRES,
  options = {},
) => {
  const user = findUnprivilegedUser();
  const home = createHome(user);
  const remove = () => rmSync(home, { recursive: true, force: true });
  let server;
  const end = async (kill) => {
    if (server && server.exitCode === null && server.signalCode === null) {
      const exited = new Promise((resolve) => server.once("exit", resolve));
      kill(server);
      await exited;
    }
  };
  const pause = () => end((running) => running.kill("SIGINT"));
  const crash = () => end(killAll);
  const stop = async () => {
    await pause();
    remove();
  };
  try {
    const bin = findBinaries(choice, home);
    const password = options.primary
      ? copyPrimary(options.primary, { home, user })
      : initialize({ bin, home, user });
    const data = join(home, "data");
    const write = (files) => writeFiles(files, data, user);
    write(options.files ?? {});
    const port = await findFreePort();
    const log = join(home, "log");
    const settings = Object.entries({ ...SETTINGS, ...options.settings, port: String(port) });
    const url = `postgresql://parley:${password}@127.0.0.1:${port}/postgres`;
    const resume = async () => {
      server = spawnServer(bin, { home, user, settings, env: options.env });
      await waitUntilReady(server, url, log);
    };
    await resume();
    return { url, from: bin, data, log, write, stop, pause, crash, resume };
  } catch (error) {
    await stop();
    throw error;
  }
};
