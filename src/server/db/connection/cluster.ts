import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { getErrorMessage } from "@/lib/error-message";
import { log } from "@/server/log";
import { createDamageError, createStartLog, explainOpening } from "./damage";
import { createDurableFs, makeTreePrivate, syncPath, syncTree } from "./durable-fs";
import { plannerOptions } from "./planner-settings";
import { copyPreparedCluster } from "./prepared-cluster.mjs";

/** PostgreSQL's major version inside the pinned PGlite; a directory belongs to one. */
const PG_MAJOR = "18";

/** Without `-F`, which would turn fsync off; the small buffers save some 100 MB. */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  "-c",
  "wal_sync_method=fsync",
  "-c",
  "shared_buffers=32MB",
  ...plannerOptions,
];

/** PostgreSQL's extensions that the migrations create. */
export const EXTENSIONS = { btree_gin, pg_trgm };

/** @returns where the embedded database of a data directory has its files. */
export const toClusterDirectory = (dataDir: string): string =>
  path.join(/* turbopackIgnore: true */ dataDir, "pg");

/**
 * Opens a directory that `createCluster` has made.
 *
 * @returns with the instance, what explains an error of its first statements.
 */
export const openInstance = async (
  directory: string,
): Promise<{ lite: PGlite; explain: (error: unknown) => unknown }> => {
  const startLog = createStartLog();
  const explain = (error: unknown): unknown => explainOpening(error, directory, startLog.reason());
  try {
    const lite = await PGlite.create({
      fs: createDurableFs(directory),
      extensions: EXTENSIONS,
      startParams: START_PARAMETERS,
      onStderr: startLog.add,
    });
    return { lite, explain };
  } catch (error) {
    throw explain(error);
  }
};

/** Creates the data directory at the first start; a killed process must not leave an incomplete one. */
export const createCluster = async (directory: string): Promise<void> => {
  if (isNew(directory)) {
    const aside = `${directory}.init`;
    rmSync(aside, { recursive: true, force: true });
    await copyPreparedCluster(aside).catch((error: unknown) => {
      throw explainOpening(error, path.dirname(directory), undefined);
    });
    makeTreePrivate(aside);
    syncTree(aside);
    rmSync(directory, { recursive: true, force: true });
    renameSync(aside, directory);
    syncPath(path.dirname(directory));
  }
  const major = readMajor(directory);
  if (major !== PG_MAJOR) {
    throw new Error(
      `${directory} was written by PostgreSQL ${major}, and this version embeds ${PG_MAJOR}: ` +
        "start the version that wrote it, or move the directory away.",
    );
  }
};

/** @throws {Error} when something is there that is no directory. */
const isNew = (directory: string): boolean => {
  const found = statSync(/* turbopackIgnore: true */ directory, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) throw createDamageError(directory, "it is not a directory");
  return !found || readdirSync(/* turbopackIgnore: true */ directory).length === 0;
};

const readMajor = (directory: string): string => {
  try {
    const file = path.join(directory, "PG_VERSION");
    const major = readFileSync(/* turbopackIgnore: true */ file, "utf8").trim();
    if (/^\d+$/.test(major)) return major;
  } catch (error) {
    throw createDamageError(directory, `PG_VERSION: ${getErrorMessage(error)}`, error);
  }
  throw createDamageError(directory, "its file PG_VERSION has no version");
};

/** For what earlier versions wrote, and copies that were restored. */
export const keepPrivate = (directory: string): void => {
  try {
    makeTreePrivate(directory);
  } catch (error) {
    // Mounted volumes may belong to another account, whose files this one can write all the same.
    log().warn({ err: error, directory }, "modes of the embedded database could not be set");
  }
};
