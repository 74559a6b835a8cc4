import type { ImportProblem, ImportSource } from "@/contract/import";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import type { Import as StoredImport } from "@/server/db/generated/client";
import { ownedBy, readableBy, type Viewer } from "@/server/db/chats/viewer";

type Bytes = "size" | "totalBytes" | "readBytes";

/** An archive that a person has sent, and how far it is imported. */
export type ImportRow = Omit<StoredImport, Bytes | "source"> &
  Record<Bytes, number> & { source: ImportSource | null };

/** Most imports of one person that are listed, the newest first. */
const MAX_IMPORTS = 50;

/** Prisma has large integers as another type than all else here. */
export const toImportRow = (row: StoredImport): ImportRow => ({
  ...row,
  source: row.source as ImportSource | null,
  size: Number(row.size),
  totalBytes: Number(row.totalBytes),
  readBytes: Number(row.readBytes),
});

export const listImports = async ({ prisma }: Queryable, viewer: Viewer): Promise<ImportRow[]> => {
  const rows = await prisma.import.findMany({
    where: ownedBy(viewer),
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_IMPORTS,
  });
  return rows.map(toImportRow);
};

/** @returns undefined for an import that is unknown or another person's. */
export const findImport = async (
  { prisma }: Queryable,
  { id, viewer }: { id: string; viewer: Viewer },
): Promise<ImportRow | undefined> => {
  if (!isUuid(id)) return undefined;
  const row = await prisma.import.findFirst({ where: { id, ...ownedBy(viewer) } });
  return row ? toImportRow(row) : undefined;
};

/** The rows of the report, in the order of the archive. */
export const listImportProblems = (
  { prisma }: Queryable,
  importId: string,
): Promise<ImportProblem[]> =>
  prisma.importProblem.findMany({
    where: { importId },
    select: { title: true, reason: true },
    orderBy: { position: "asc" },
  });

/** Finds which conversations of sources are chats of a person already. @returns the chats by the ids of the sources. */
export const findImported = async (
  { prisma }: Queryable,
  { viewer, sourceIds }: { viewer: Viewer; sourceIds: string[] },
): Promise<Map<string, string>> => {
  const rows = await prisma.importedChat.findMany({
    where: { ...ownedBy(viewer), sourceId: { in: sourceIds } },
    select: { sourceId: true, chatId: true },
  });
  return new Map(rows.map(({ sourceId, chatId }) => [sourceId, chatId]));
};

/** Finds which documents of this program are chats of a person as they are. @returns the chats by the ids of the source. */
export const listOwnChats = async (
  { prisma }: Queryable,
  { viewer, sourceIds }: { viewer: Viewer; sourceIds: readonly string[] },
): Promise<Map<string, string>> => {
  const ids = sourceIds.flatMap((sourceId) => {
    const [source, id = ""] = sourceId.split(":");
    return source === ("parley" satisfies ImportSource) && isUuid(id) ? [id] : [];
  });
  if (ids.length === 0) return new Map();
  const where = { id: { in: ids }, ...readableBy(viewer) };
  const chats = await prisma.chat.findMany({ where, select: { id: true } });
  return new Map(chats.map(({ id }) => [`parley:${id}`, id]));
};
