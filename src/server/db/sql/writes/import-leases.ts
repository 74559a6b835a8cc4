import type { ImportSource } from "@/contract/import";
import { ACCESS_COLUMN, ownedBy, type Viewer } from "@/server/db/chats/viewer";
import type { Queryable, Statement } from "@/server/db/connection/database";

// Raw: leases end by the clock of the database, and Prisma cannot skip locked rows.

/** How long a worker that does not renew keeps an import: a crash delays it by this much at most. */
const LEASE_SECONDS = 30;
const LEASE_END = `now() + make_interval(secs => ${LEASE_SECONDS})`;

/** SQL that is true for a row of `import` that waits for a worker. */
export const IS_IMPORT_WAITING = `state IN ('queued', 'running')
        AND (lease_token IS NULL OR lease_expires_at < now())`;

const CLAIM: Statement = {
  name: "claim-import",
  text: `UPDATE import SET state = 'running', lease_token = $1::uuid, lease_expires_at = ${LEASE_END},
      served_at = now(), updated_at = now()
    WHERE id = (
      SELECT id FROM import WHERE ${IS_IMPORT_WAITING}
      ORDER BY served_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
};

/** Claims the import that has waited longest. @returns its id. */
export const claimImport = async (db: Queryable, leaseToken: string): Promise<string | undefined> =>
  (await db.query<{ id: string }>(CLAIM, [leaseToken]))[0]?.id;

/** What a worker writes of an import goes with this. */
export type ImportLease = { importId: string; leaseToken: string };

const RENEW: Statement = {
  name: "renew-import",
  isFenced: true,
  text: `UPDATE import SET lease_expires_at = ${LEASE_END}
    WHERE id = $1::uuid AND lease_token = $2::uuid RETURNING id`,
};

/** @returns false when the import was deleted, or another worker has it. */
export const renewImport = async (
  db: Queryable,
  { importId, leaseToken }: ImportLease,
): Promise<boolean> => (await db.query(RENEW, [importId, leaseToken])).length > 0;

const RELEASE: Statement = {
  name: "release-import",
  isFenced: true,
  text: `UPDATE import SET state = 'queued', lease_token = NULL, lease_expires_at = NULL, served_at = now()
    WHERE id = $1::uuid AND lease_token = $2::uuid`,
};

/** Gives an import back, behind those that wait. */
export const releaseImport = async (
  db: Queryable,
  { importId, leaseToken }: ImportLease,
): Promise<void> => {
  await db.query(RELEASE, [importId, leaseToken]);
};

const WAITING: Statement = {
  name: "has-waiting-imports",
  text: "SELECT 1 FROM import WHERE state = 'queued' AND lease_token IS NULL LIMIT 1",
};

/** Whether imports wait for a worker. */
export const hasWaitingImports = async (db: Queryable): Promise<boolean> =>
  (await db.query(WAITING, [])).length > 0;

const DELETE_ABANDONED: Statement = {
  name: "delete-abandoned-uploads",
  text: `DELETE FROM import WHERE state = 'receiving' AND updated_at < now() - interval '5 minutes'
    AND ($1::text IS NULL OR ${ACCESS_COLUMN} = $1)`,
};

/** Deletes uploads that have broken off without this server knowing. @param viewer whose only; all by default. */
export const deleteAbandonedUploads = async (db: Queryable, viewer?: Viewer): Promise<void> => {
  await db.query(DELETE_ABANDONED, [viewer ? ownedBy(viewer).ownerId : null]);
};

/** How far an import is. What was counted since the last commit is added. */
export type ImportProgress = {
  source: ImportSource | null;
  documentIndex: number;
  position: number;
  readBytes: number;
  chats: number;
  messages: number;
  files: number;
  known: number;
  problems: number;
};

const ADVANCE: Statement = {
  name: "advance-import",
  text: `UPDATE import SET lease_expires_at = ${LEASE_END}, updated_at = now(), source = $3::text,
      document_index = $4::int, position = $5::int, read_bytes = $6::bigint, chats = chats + $7::int,
      messages = messages + $8::int, files = files + $9::int, known = known + $10::int,
      problems = problems + $11::int
    WHERE id = $1::uuid AND lease_token = $2::uuid RETURNING problems`,
};

/** @returns how many problems it has then; undefined when the import was deleted, or another worker has it. */
export const advanceImport = async (
  tx: Queryable,
  { importId, leaseToken }: ImportLease,
  progress: ImportProgress,
): Promise<number | undefined> => {
  const { source, documentIndex, position, readBytes, chats, messages, files, known, problems } =
    progress;
  const counts = [chats, messages, files, known, problems];
  const values = [importId, leaseToken, source, documentIndex, position, readBytes, ...counts];
  return (await tx.query<{ problems: number }>(ADVANCE, values))[0]?.problems;
};

const END: Statement = {
  name: "end-import",
  isFenced: true,
  text: `UPDATE import SET state = CASE WHEN $3::text IS NULL THEN 'completed' ELSE 'failed' END::import_state,
      error = $3, ended_at = now(), updated_at = now(), lease_token = NULL, lease_expires_at = NULL,
      read_bytes = CASE WHEN $3::text IS NULL THEN total_bytes ELSE read_bytes END
    WHERE id = $1::uuid AND lease_token = $2::uuid`,
};

/** @param error why it has failed; null when it is complete. */
export const endImport = async (
  db: Queryable,
  { importId, leaseToken }: ImportLease,
  error: string | null,
): Promise<void> => {
  await db.query(END, [importId, leaseToken, error]);
};
