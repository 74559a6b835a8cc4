import type { ImportProblem } from "@/contract/import";
import type { Database, Queryable, Transaction } from "@/server/db/connection/database";
import { ownedBy, type Viewer } from "@/server/db/chats/viewer";
import { deleteAbandonedUploads } from "@/server/db/sql/writes/import-leases";
import { type ImportRow, toImportRow } from "./import-reads";

/** The states of an import that is not over; a person has one such import at a time. */
const ACTIVE = ["receiving", "queued", "running"] as const;

/** Begins an upload. @returns undefined while the person has another import that is not over. */
export const insertImport = async (
  db: Database,
  { id, viewer, name }: { id: string; viewer: Viewer; name: string },
): Promise<boolean> => {
  await deleteAbandonedUploads(db, viewer);
  const { count } = await db.prisma.import.createMany({
    data: [{ id, ...ownedBy(viewer), name, state: "receiving" }],
    // A unique index allows one active import of each person.
    skipDuplicates: true,
  });
  return count > 0;
};

/** Lets a worker begin with an upload that has arrived. @returns undefined when it was deleted meanwhile. */
export const queueImport = async (
  { prisma }: Queryable,
  id: string,
  totalBytes: number,
): Promise<ImportRow | undefined> => {
  const [row] = await prisma.import.updateManyAndReturn({
    where: { id, state: "receiving" },
    data: { state: "queued", totalBytes },
  });
  return row && toImportRow(row);
};

export const deleteImportRow = async (
  { prisma }: Queryable,
  { id, viewer }: { id: string; viewer: Viewer },
): Promise<void> => {
  await prisma.import.deleteMany({ where: { id, ...ownedBy(viewer) } });
};

/** Ends an import that a person gives up. Its worker finds that when it next commits. */
export const cancelImportRow = async (
  { prisma }: Queryable,
  { id, viewer }: { id: string; viewer: Viewer },
): Promise<void> => {
  await prisma.import.updateMany({
    where: { id, ...ownedBy(viewer), state: { in: [...ACTIVE] } },
    data: { state: "failed", leaseToken: null, leaseExpiresAt: null },
  });
};

/** Most rows of one report. */
const MAX_PROBLEMS = 1_000;

/** Adds rows to the report. @param total how many problems there are with these. */
export const insertImportProblems = async (
  { prisma }: Transaction,
  importId: string,
  { problems, total }: { problems: readonly ImportProblem[]; total: number },
): Promise<void> => {
  const first = total - problems.length;
  const room = Math.max(0, MAX_PROBLEMS - first);
  if (problems.length === 0 || room === 0) return;
  await prisma.importProblem.createMany({
    data: problems
      .slice(0, room)
      .map(({ title, reason }, index) => ({ importId, position: first + index, title, reason })),
  });
};

/** Says which conversations of a source chats are. */
export const insertImportedChats = async (
  { prisma }: Transaction,
  viewer: Viewer,
  chats: readonly { sourceId: string; chatId: string }[],
): Promise<void> => {
  const owner = ownedBy(viewer);
  await prisma.importedChat.createMany({
    data: chats.map(({ sourceId, chatId }) => ({ ...owner, sourceId, chatId })),
  });
};

export const findClaimed = async (
  { prisma }: Queryable,
  id: string,
): Promise<ImportRow | undefined> => {
  const row = await prisma.import.findUnique({ where: { id } });
  return row ? toImportRow(row) : undefined;
};
