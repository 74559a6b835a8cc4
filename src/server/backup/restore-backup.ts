import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { insertRows, removeConstraints, setSequences } from "@/server/db/backup/load-rows";
import type { RawRow, RawSession } from "@/server/db/backup/raw-session";
import { listTables, type Table } from "@/server/db/backup/tables";
import {
  isRestored,
  markRestored,
  migrate,
  openTarget,
  requireEmptyServer,
  type RestoreTarget,
} from "@/server/db/backup/restore-target";
import { toClusterDirectory } from "@/server/db/connection/cluster";
import { lockDirectory } from "@/server/db/connection/directory-lock";
import { syncPath } from "@/server/db/connection/durable-fs";
import { knownMigrations } from "@/server/db/connection/migrate.mjs";
import type { DatabaseSettings } from "@/server/db/connection/open-database";
import { toRestoreDirectory } from "@/server/db/connection/unfinished-restore";
import { makeDataDirectory } from "@/server/env";
import { FILE_DIRECTORIES, FILES_PREFIX } from "./data-files";
import { type End, type Manifest, SECRET_NAME } from "./manifest";
import { type ArchiveEntry, readArchive, readText } from "./read-archive";
import { createFileStage } from "./stage-files";
import { listUnreadable, type UnreadableSecrets } from "./unreadable-secrets";

type RestoreOptions = {
  file: string;
  settings: DatabaseSettings;
  /** Of the environment; null is the file of the data directory. */
  secret: string | null;
};

export type RestoredBackup = {
  rows: Readonly<Record<string, number>>;
  files: number;
  unreadable: UnreadableSecrets;
  /** Whether this server has the secret of the backup; undefined when that is not known. */
  hasSecret: boolean | undefined;
};

const ID_FILE = "id";

/**
 * Restores a backup into an empty database and data directory.
 *
 * @returns null when an interrupted restore had ended but for its last step.
 * @throws {Error} a sentence; nothing that counts has changed then.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoredBackup | null> => {
  const { file, settings } = options;
  const { dataDir } = settings;
  let secret: string | undefined;
  const { manifest } = await readArchive(file, async (entry) => {
    if (entry.header.name === SECRET_NAME) secret = (await readText(entry)).trim();
  });
  requireKnownSchema(file, manifest);
  makeDataDirectory(dataDir);
  const unlock = await lockDirectory(dataDir);
  try {
    if (await endInterrupted(settings)) return null;
    requireEmptyDirectory(dataDir);
    requireNoOtherSecret(options, secret);
    await requireEmptyServer(settings);
    return await restore(options, secret);
  } finally {
    unlock();
  }
};

/** @throws {Error} a sentence, when a newer version of Parley has written it. */
const requireKnownSchema = (file: string, { migrations }: Manifest): void => {
  const known = knownMigrations();
  const newer = Object.keys(migrations).find((name) => !known.has(name));
  if (newer !== undefined)
    throw new Error(
      `${file} cannot be restored: it is of a newer version of Parley (migration ${newer}). Restore it with that version.`,
    );
  const other = Object.keys(migrations).find((name) => known.get(name) !== migrations[name]);
  if (other !== undefined)
    throw new Error(
      `${file} cannot be restored: its migration ${other} is another one than this version has.`,
    );
};

/** Undoes what an interrupted restore has moved to its place, which was empty before. @returns whether it had ended. */
const endInterrupted = async (settings: DatabaseSettings): Promise<boolean> => {
  const stage = toRestoreDirectory(settings.dataDir);
  if (!existsSync(stage)) return false;
  const idFile = path.join(stage, ID_FILE);
  // Without its id nothing was moved.
  if (existsSync(idFile)) {
    const hasEnded = await isRestored(settings, readFileSync(idFile, "utf8"));
    if (!hasEnded)
      for (const name of FILE_DIRECTORIES)
        rmSync(path.join(settings.dataDir, name), { recursive: true, force: true });
    rmSync(stage, { recursive: true });
    return hasEnded;
  }
  rmSync(stage, { recursive: true });
  return false;
};

const requireEmptyDirectory = (dataDir: string): void => {
  const found = [
    toClusterDirectory(dataDir),
    ...FILE_DIRECTORIES.map((name) => path.join(dataDir, name)),
  ].find((directory) => existsSync(directory) && readdirSync(directory).length > 0);
  if (found === undefined) return;
  throw new Error(
    `The data directory ${dataDir} is not empty (it has ${path.basename(found)}): ` +
      "move all but its file `secret` to another place, or set PARLEY_DATA_DIR to a new directory.",
  );
};

const toSecretFile = (dataDir: string): string => path.join(dataDir, "secret");

const readStoredSecret = (dataDir: string): string | undefined =>
  existsSync(toSecretFile(dataDir))
    ? readFileSync(toSecretFile(dataDir), "utf8").trim()
    : undefined;

/** The file of another secret would be replaced, and all that it encrypts elsewhere lost. */
const requireNoOtherSecret = (
  { settings: { dataDir }, secret: own }: RestoreOptions,
  secret: string | undefined,
): void => {
  const stored = readStoredSecret(dataDir);
  if (own !== null || secret === undefined || stored === undefined || stored === secret) return;
  throw new Error(
    `${toSecretFile(dataDir)} is another secret than that of the backup: move it to another place.`,
  );
};

const restore = async (
  { file, settings, secret: own }: RestoreOptions,
  secret: string | undefined,
): Promise<RestoredBackup> => {
  const { dataDir } = settings;
  const stage = toRestoreDirectory(dataDir);
  const id = randomUUID();
  mkdirSync(stage, { mode: 0o700 });
  writeFileSync(path.join(stage, ID_FILE), id, { flush: true });
  syncPath(stage);
  syncPath(dataDir);
  let target: RestoreTarget | undefined;
  try {
    target = await openTarget(settings, stage);
    const files = path.join(stage, "files");
    const end = await loadArchive(file, target.session, files);
    await markRestored(target.session, id);
    if (own === null && secret !== undefined)
      writeFileSync(toSecretFile(dataDir), `${secret}\n`, { mode: 0o600, flush: true });
    const used = own ?? readStoredSecret(dataDir);
    const unreadable = await listUnreadable(target.session, used);
    for (const name of existsSync(files) ? readdirSync(files) : [])
      moveDirectory(path.join(files, name), path.join(dataDir, name));
    syncPath(dataDir);
    await target.commit();
    rmSync(stage, { recursive: true });
    return {
      rows: end.rows,
      files: end.files,
      unreadable,
      hasSecret: secret === undefined ? undefined : used === secret,
    };
  } catch (error) {
    await target?.close().catch(() => undefined);
    // What cannot be undone now is undone by the next restore.
    await endInterrupted(settings).catch(() => undefined);
    throw error;
  } finally {
    await target?.close().catch(() => undefined);
  }
};

const moveDirectory = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
};

/** Reads a backup that was found to be whole into an empty database and directory. */
const loadArchive = async (file: string, session: RawSession, directory: string): Promise<End> => {
  const stage = createFileStage(directory);
  let restoreConstraints: (() => Promise<void>) | undefined;
  let tables: ReadonlyMap<string, Table> = new Map();
  const prepare = async ({ migrations }: Manifest): Promise<void> => {
    await migrate(session, (name) => Object.hasOwn(migrations, name));
    // Migrations write rows, too, which the backup has as they have become.
    await session.exec(await truncateAll(session));
    restoreConstraints = await removeConstraints(session);
    tables = new Map((await listTables(session)).map((table) => [table.name, table]));
  };
  const { end, manifest } = await readArchive(file, async (entry, found) => {
    if (!restoreConstraints) await prepare(found);
    const { name } = entry.header;
    if (name.startsWith("tables/")) await insertEntry(session, entry, toTable(tables, found, name));
    else if (name.startsWith(FILES_PREFIX)) await stage.add(entry);
  });
  if (!restoreConstraints) await prepare(manifest);
  await restoreConstraints?.();
  await stage.end();
  await setSequences(session, end.sequences);
  await migrate(session);
  return end;
};

const TABLE_NAMES = `SELECT 'TRUNCATE ' || string_agg(quote_ident(relname), ', ') FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations'`;

const truncateAll = async (session: RawSession): Promise<string> =>
  (await session.query(TABLE_NAMES))[0]?.[0] ?? "";

/** @returns the columns that the rows of an entry have, with the types of the database. */
const toTable = (
  tables: ReadonlyMap<string, Table>,
  manifest: Manifest,
  entryName: string,
): Table => {
  const name = entryName.split("/")[1] ?? "";
  const known = tables.get(name)?.columns ?? [];
  const columns = (manifest.tables[name] ?? []).map((column) => {
    const found = known.find((each) => each.name === column.name);
    if (!found)
      throw new Error(`The backup has a column "${column.name}" of "${name}", which is unknown.`);
    return found;
  });
  if (columns.length === 0) throw new Error(`The backup has rows of "${name}", which is unknown.`);
  return { name, columns };
};

const insertEntry = async (
  session: RawSession,
  entry: ArchiveEntry,
  table: Table,
): Promise<void> => {
  const rows = (await readText(entry))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RawRow);
  await insertRows(session, table, rows);
};
