import type { Labels } from "@/contract/labels";
import type { ChatParameters } from "@/contract/parameters";
import { isUuid } from "@/lib/is-uuid";
import type { Prisma } from "@/server/db/generated/client";
import type { Queryable } from "@/server/db/connection/database";
import { type FileRow, toArtifact, WIRE_FIELDS } from "./artifact-reads";
import type { Artifact } from "@/contract/part";
import { readableBy, type Viewer } from "./viewer";

/** The fields of a chat that an export has in addition to its messages. */
export type ChatToExport = {
  id: string;
  title: string;
  archivedAt: Date | null;
  pinned: boolean;
  labels: Labels;
  systemPrompt: string | null;
  parameters: ChatParameters;
  createdAt: Date;
  updatedAt: Date;
  forkedFromId: string | null;
  forkedFromSeq: number | null;
  model: { provider: string; model: string } | null;
};

const EXPORTED = {
  id: true,
  title: true,
  archivedAt: true,
  pinned: true,
  labels: true,
  systemPrompt: true,
  parameters: true,
  createdAt: true,
  updatedAt: true,
  forkedFromId: true,
  forkedFromSeq: true,
  model: { select: { provider: true, model: true } },
} as const;

/** @returns undefined for a chat that is unknown or that the viewer may not read. */
export const findChatToExport = async (
  { prisma }: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<ChatToExport | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const where = { id: chatId, ...readableBy(viewer) };
  const chat = await prisma.chat.findFirst({ where, select: EXPORTED });
  return (chat as ChatToExport | null) ?? undefined;
};

/** Neither a temporary chat nor an agent of one. */
const IS_KEPT = {
  keptHours: null,
  OR: [{ parentChatId: null }, { parent: { keptHours: null } }],
} satisfies Prisma.ChatWhereInput;

/** Lists root chats by their ids, archived ones included and temporary ones not. @param after the id of the last known one. */
export const listChatsToExport = async (
  { prisma }: Queryable,
  { viewer, after, limit }: { viewer: Viewer; after: string | undefined; limit: number },
): Promise<ChatToExport[]> => {
  const chats = await prisma.chat.findMany({
    where: {
      ...readableBy(viewer),
      parentChatId: null,
      keptHours: null,
      ...(after !== undefined && { id: { gt: after } }),
    },
    select: EXPORTED,
    orderBy: { id: "asc" },
    take: limit,
  });
  return chats as ChatToExport[];
};

/** Lists the files of these root chats and of their agents by their ids. @param after the last known one. */
export const listFilesToExport = async (
  { prisma }: Queryable,
  { viewer, after, limit }: { viewer: Viewer; after: string | undefined; limit: number },
): Promise<Artifact[]> => {
  const files: FileRow[] = await prisma.artifact.findMany({
    where: {
      chat: { ...readableBy(viewer), ...IS_KEPT },
      ...(after !== undefined && { id: { gt: after } }),
    },
    select: WIRE_FIELDS,
    orderBy: { id: "asc" },
    take: limit,
  });
  return files.map(toArtifact);
};
