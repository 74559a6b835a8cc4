// Plain JavaScript, as the build runs it, too.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const INITIALISE = `import { PGlite } from "@electric-sql/pglite";
await (await PGlite.create(process.argv[1])).close();`;

/**
 * Creates a new cluster in a directory. In a process of its own, because some 450 MB of memory would not be released.
 *
 * @param {string} directory
 */
export const initialiseCluster = async (directory) => {
  await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", INITIALISE, directory],
    { cwd: process.cwd() },
  );
};

/** Where the build puts a new cluster of the PGlite that is installed. */
export const toPreparedCluster = () => {
  const file = path.join(process.cwd(), "node_modules/@electric-sql/pglite/package.json");
  const { version } = JSON.parse(readFileSync(/* turbopackIgnore: true */ file, "utf8"));
  return path.join(process.cwd(), ".next", `embedded-database-${version}`);
};

/**
 * Creates a new cluster from that of the build, as its creation takes most of a first start; without a build, as in development,
 * it is created here.
 *
 * @param {string} directory
 */
export const copyPreparedCluster = async (directory) => {
  const prepared = toPreparedCluster();
  if (existsSync(/* turbopackIgnore: true */ prepared)) {
    await cp(/* turbopackIgnore: true */ prepared, directory, { recursive: true });
  } else await initialiseCluster(directory);
};
