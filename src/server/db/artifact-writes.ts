import { createHash } from "node:crypto";
import type { Artifact } from "@/contract/part";
import type { Queryable, Statement } from "./database";
import { ACCESS_COLUMN, toViewerValue, type Viewer } from "./viewer";

export type NewArtifact = {
  id: string;
  chatId: string;
  viewer: Viewer;
  toolCallId: string;
  name: string;
  mediaType: string;
  bytes: Uint8Array;
};

const INSERT: Statement = {
  name: "insert-artifact",
  text: `INSERT INTO artifact (id, chat_id, ${ACCESS_COLUMN}, tool_call_id, name, media_type, size, hash, content)
    VALUES ($1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8, $9::bytea)`,
};

/** Keeps a file that a tool made, as the chat's. */
export const insertArtifact = async (db: Queryable, file: NewArtifact): Promise<Artifact> => {
  const { id, chatId, viewer, toolCallId, name, mediaType, bytes } = file;
  const hash = createHash("sha256").update(bytes).digest("hex");
  await db.query(INSERT, [
    id,
    chatId,
    toViewerValue(viewer),
    toolCallId,
    name,
    mediaType,
    bytes.length,
    hash,
    Buffer.from(bytes),
  ]);
  return { id, name, media_type: mediaType, size: bytes.length };
};
