import { createHash } from "node:crypto";
import type { Artifact } from "@/contract/part";
import type { Queryable } from "./database";
import { ownedBy, type Viewer } from "./viewer";

export type NewArtifact = {
  id: string;
  chatId: string;
  viewer: Viewer;
  toolCallId: string;
  name: string;
  mediaType: string;
  bytes: Uint8Array;
};

/** Stores a file that a tool made, as the chat's. */
export const insertArtifact = async (
  { prisma }: Queryable,
  { bytes, viewer, ...file }: NewArtifact,
): Promise<Artifact> => {
  const { id, name, mediaType } = file;
  const hash = createHash("sha256").update(bytes).digest("hex");
  await prisma.artifact.create({
    data: {
      ...file,
      ...ownedBy(viewer),
      hash,
      size: bytes.length,
      content: Uint8Array.from(bytes),
    },
    select: { id: true },
  });
  return { id, name, media_type: mediaType, size: bytes.length };
};
