import { constants, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { access, link, rename } from "node:fs/promises";
import path from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import { readRows } from "@/server/db/backup/read-rows";
import { openSnapshot, type Snapshot } from "@/server/db/backup/snapshot";
import { listTables, readMigrations, readSequences } from "@/server/db/backup/tables";
import { tryLock } from "@/server/db/connection/directory-lock";
import { syncPath } from "@/server/db/connection/durable-fs";
import type { DatabaseSettings } from "@/server/db/connection/open-database";
import { writeDataFiles, type WrittenFiles } from "./data-files";
import { type End, END_NAME, FORMAT, type Manifest, MANIFEST_NAME, SECRET_NAME } from "./manifest";
import { type ArchiveWriter, createArchive } from "./write-archive";

type BackupOptions = {
  file: string;
  settings: DatabaseSettings;
  /** Replaces a file that exists. */
  force: boolean;
  /** The server's secret, if it shall be part of the backup. */
  secret: string | undefined;
  now: Date;
};

export type WrittenBackup = WrittenFiles & {
  rows: Readonly<Record<string, number>>;
  bytes: number;
};

/**
 * Writes a backup of the database and of the files of the data directory, also while servers use them. It has its name when all
 * of it is on the disk.
 *
 * @throws {Error} a sentence, or what the file system or the database said; nothing has changed then.
 */
export const writeBackup = async (options: BackupOptions): Promise<WrittenBackup> => {
  const { file, force } = options;
  await requireWritable(file);
  if (!force && existsSync(file)) throw createExistsError(file);
  const scratch = `${file}.incomplete`;
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const unlock = tryLock(scratch, "lock");
  if (!unlock) throw new Error(`Another backup is being written to ${file}.`);
  try {
    // A killed backup leaves these behind.
    for (const name of ["archive", "pg"])
      rmSync(path.join(scratch, name), { recursive: true, force: true });
    const archive = path.join(scratch, "archive");
    const written = await writeArchive(archive, scratch, options);
    await publish(archive, file, force);
    return { ...written, bytes: statSync(file).size };
  } catch (error) {
    throw hasErrorCode(error, "ENOSPC") ? createSpaceError(file, error) : error;
  } finally {
    unlock();
    rmSync(scratch, { recursive: true, force: true });
  }
};

const createSpaceError = (file: string, cause: unknown): Error =>
  new Error(
    `The disk of ${path.dirname(file)} is full: it needs space for the backup and, until that is written, for a copy of the embedded database.`,
    { cause },
  );

const createExistsError = (file: string): Error =>
  new Error(`${file} exists: choose another name, or replace it with --force.`);

const requireWritable = async (file: string): Promise<void> => {
  const directory = path.dirname(file);
  try {
    await access(directory, constants.W_OK);
  } catch (error) {
    throw new Error(`${directory} is no directory that this account may write.`, { cause: error });
  }
  if (existsSync(file) && !statSync(file).isFile()) throw new Error(`${file} is no file.`);
};

const writeArchive = async (
  file: string,
  scratch: string,
  { settings, secret, now }: BackupOptions,
): Promise<Omit<WrittenBackup, "bytes">> => {
  const snapshot = await openSnapshot(settings, scratch);
  try {
    const archive = createArchive(file);
    const tables = await listTables(snapshot.session);
    await archive.addText(
      MANIFEST_NAME,
      JSON.stringify({
        format: FORMAT,
        created_at: now.toISOString(),
        database: settings.databaseUrl === null ? "embedded" : "postgresql",
        migrations: await readMigrations(snapshot.session),
        tables: Object.fromEntries(tables.map(({ name, columns }) => [name, [...columns]])),
      } satisfies Manifest),
    );
    const rows = await writeTables(archive, snapshot, tables);
    const sequences = await readSequences(snapshot.session);
    const files = await writeDataFiles(archive, settings.dataDir);
    if (secret !== undefined) await archive.addText(SECRET_NAME, `${secret}\n`);
    const sha256 = archive.digest();
    const end = { sha256, rows, sequences, files: files.files } satisfies End;
    await archive.addText(END_NAME, JSON.stringify(end));
    await archive.end();
    return { rows, ...files };
  } finally {
    await snapshot.close();
  }
};

const writeTables = async (
  archive: ArchiveWriter,
  { session }: Snapshot,
  tables: Awaited<ReturnType<typeof listTables>>,
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    let count = 0;
    let piece = 0;
    for await (const rows of readRows(session, table)) {
      piece += 1;
      count += rows.length;
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      await archive.addText(`tables/${table.name}/${String(piece).padStart(8, "0")}.jsonl`, lines);
    }
    counts[table.name] = count;
  }
  return counts;
};

/** Gives the archive its name, which no other file has unless it may be replaced. */
const publish = async (archive: string, file: string, force: boolean): Promise<void> => {
  if (force) await rename(archive, file);
  else await renameToNew(archive, file);
  syncPath(path.dirname(file));
};

const renameToNew = async (archive: string, file: string): Promise<void> => {
  try {
    await link(archive, file);
  } catch (error) {
    if (hasErrorCode(error, "EEXIST") || existsSync(file)) throw createExistsError(file);
    // Some file systems have no second name for a file.
    await rename(archive, file);
  }
};
