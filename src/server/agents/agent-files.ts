import type { UserContent } from "@/contract/content";
import { isRasterImage } from "@/contract/file-kind";
import { type FilePart, toFilePart } from "@/contract/part";
import { isUuid } from "@/lib/is-uuid";
import { findArtifact, findSendable, readArtifactRange } from "@/server/db/chats/artifact-reads";
import { setPixels } from "@/server/db/chats/artifact-writes";
import type { ChatRow } from "@/server/db/chats/rows";
import { toViewer } from "@/server/db/chats/viewer";
import type { Database, Transaction } from "@/server/db/connection/database";
import { insertRendition } from "@/server/db/sql/writes/renditions";
import { toModelImage } from "@/server/tools/artifacts/model-image";
import { ToolFailure } from "@/server/tools/tool-result";

/** Files of a chat and its agents, by their ids. An agent gets them by reference, as all chats of a family may read them. */
export type FamilyFiles = ReadonlyMap<string, FilePart>;

const NONE: FamilyFiles = new Map();

/** Finds those of the files that the family of a root chat has. */
export const findFamilyFiles = async (
  tx: Transaction,
  root: ChatRow,
  ids: readonly string[],
): Promise<FamilyFiles> => {
  const known = ids.filter(isUuid);
  if (known.length === 0) return NONE;
  const viewer = toViewer(root);
  const found = await findSendable(tx, { ids: known, viewer, rootChatId: root.id });
  const ofFamily = [...found.values()].filter(({ isUnsent }) => !isUnsent);
  return new Map(ofFamily.map(({ file }) => [file.id, toFilePart(file)]));
};

/**
 * Creates what an agent gets: files before the text, as models read them best so.
 *
 * @returns why the agent gets nothing, for a file that the family does not have.
 */
export const toAgentContent = (
  { text, ids = [] }: { text: string; ids: readonly string[] | undefined },
  files: FamilyFiles,
): UserContent | ToolFailure => {
  const unknown = ids.filter((id) => !files.has(id));
  if (unknown.length > 0) return unknownFiles(unknown);
  const parts = [...new Set(ids)].flatMap((id) => files.get(id) ?? []);
  return [...parts, { type: "text", text }];
};

const unknownFiles = (ids: readonly string[]): ToolFailure => {
  const names = ids.map((id) => JSON.stringify(id)).join(", ");
  return new ToolFailure(
    `The agent got nothing: this chat has no file ${names}. Give the artifact_id of an attached file, or the id of an artifact of a result; a file of the workspace needs none, as agents can read it.`,
  );
};

type GivenFiles = { ids: readonly string[] | undefined; rootChatId: string; userId: string };

/**
 * Lets models see the images among the files that an agent will get: one that a tool has made was stored without its
 * rendition. Call it before the chat is locked, as decoding takes long.
 */
export const renderImages = async (
  db: Database,
  { ids = [], rootChatId, userId }: GivenFiles,
): Promise<void> => {
  for (const id of new Set(ids)) {
    const file = await findArtifact(db, { id, viewer: { userId }, rootChatId });
    if (file && isRasterImage(file.media_type) && file.width === undefined) {
      await renderImage(db, file);
    }
  }
};

const renderImage = async (
  db: Database,
  { id, size }: { id: string; size: number },
): Promise<void> => {
  const bytes = await readArtifactRange(db, { id, start: 0, end: size - 1 });
  // One that cannot be decoded is given by its name.
  const image = await toModelImage(bytes).catch(() => undefined);
  if (!image) return;
  const { width, height, ...rendition } = image;
  await db.transaction(async (tx) => {
    await insertRendition(tx, id, { kind: "image", ...rendition });
    await setPixels(tx, id, { width, height });
  });
};
