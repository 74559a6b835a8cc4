import * as z from "zod";
import { DomainError } from "@/contract/domain-error";
import { CreateFileInput, FilePage, FileRef, GetFileInput, ListFilesInput } from "@/contract/file";
import { isRasterImage } from "@/contract/file-kind";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { Artifact } from "@/contract/part";
import { deleteFile } from "@/server/chat/delete-file";
import { uploadFile } from "@/server/chat/upload-file";
import {
  findArtifact,
  findRendition,
  listFiles,
  type ListedFile,
  readArtifact,
  type StoredArtifact,
  sumFiles,
} from "@/server/db/chats/artifact-reads";
import { findRootChatId } from "@/server/db/chats/chat-existence-reads";
import type { Queryable } from "@/server/db/connection/database";
import { unknownChat } from "@/server/machine/lock-chat";
import { defineDownload, defineOperation } from "@/server/api/operation";
import { createFileResponse, type FileContent } from "@/server/api/rest/file-response";

/** What surrounds a file in a form, in bytes. */
const MAX_FORM_BYTES = 64 * 1024;

export const createFileOperation = defineOperation({
  name: "files.create",
  method: "POST",
  path: "/files",
  summary: "Add a file to a chat",
  scope: "chat",
  partScope: "calls:answer",
  input: CreateFileInput,
  bodyType: "file",
  maxBodyBytes: MAX_ARTIFACT_BYTES + MAX_FORM_BYTES,
  output: Artifact,
  status: 201,
  location: ({ id }) => `/files/${id}`,
  run: (ctx, { chat_id, name, media_type, file }) =>
    uploadFile(ctx, { chatId: chat_id, name, declaredType: media_type, bytes: file }),
});

export const listFilesOperation = defineOperation({
  name: "files.list",
  method: "GET",
  path: "/chats/{chat_id}/files",
  summary: "List the files of a chat and of its agents, newest first",
  scope: "read",
  input: ListFilesInput,
  output: FilePage,
  status: 200,
  run: async ({ db, actor }, { chat_id: chatId, cursor, limit }) => {
    const query = { chatId, viewer: actor };
    if ((await findRootChatId(db, query)) === undefined) throw unknownChat(chatId);
    const found = await listFiles(db, { ...query, before: cursor, limit: limit + 1 });
    const files = found.slice(0, limit);
    const last = found.length > limit ? files.at(-1) : undefined;
    const { count, size } = await sumFiles(db, query);
    return {
      data: files.map(toWireFile),
      ...(last && { next_cursor: last.file.id }),
      total_count: count,
      total_size: size,
    };
  },
});

const toWireFile = ({ file, chatId, toolCallId, createdAt }: ListedFile) => ({
  ...file,
  chat_id: chatId,
  tool_call_id: toolCallId,
  created_at: createdAt.toISOString(),
});

export const deleteFileOperation = defineOperation({
  name: "files.delete",
  method: "DELETE",
  path: "/files/{file_id}",
  summary: "Delete a file that no message has",
  scope: "chat",
  input: FileRef,
  output: z.void(),
  status: 204,
  run: (ctx, { file_id }) => deleteFile(ctx, file_id),
});

export const getFileOperation = defineDownload({
  name: "files.get",
  method: "GET",
  path: "/files/{file_id}",
  summary: "Get a file of a chat, or a range of it",
  scope: "read",
  input: GetFileInput,
  respond: async ({ db, actor }, { file_id, preview }, request) => {
    const artifact = await findArtifact(db, { id: file_id, viewer: actor });
    if (!artifact) throw new DomainError("not_found", `There is no file "${file_id}".`);
    const isPreview = preview && isRasterImage(artifact.media_type);
    return createFileResponse(
      {
        name: artifact.name,
        etag: isPreview ? `"${artifact.hash}-preview"` : `"${artifact.hash}"`,
        open: async () =>
          (isPreview ? await openPreview(db, artifact) : undefined) ?? openFile(db, artifact),
      },
      request,
    );
  },
});

const openFile = (
  db: Queryable,
  { id, media_type: mediaType, size }: StoredArtifact,
): FileContent => ({
  mediaType,
  size,
  read: ({ start, end }) => readArtifact(db, { id, start, end }),
});

/** @returns undefined for an image without a smaller one, such as one that a tool has made. */
const openPreview = async (
  db: Queryable,
  { id }: StoredArtifact,
): Promise<FileContent | undefined> => {
  const rendition = await findRendition(db, id, "image");
  if (!rendition) return undefined;
  const { mediaType, bytes } = rendition;
  return {
    mediaType,
    size: bytes.length,
    read: ({ start, end }) => [bytes.subarray(start, end + 1)].values(),
  };
};
