import * as z from "zod";
import { DomainError } from "@/contract/domain-error";
import { CreateFileInput, FileRef } from "@/contract/file";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { Artifact } from "@/contract/part";
import { createFile } from "@/server/chat/create-file";
import { deleteFile } from "@/server/chat/delete-file";
import { findArtifact } from "@/server/db/chats/artifact-reads";
import { defineDownload, defineOperation } from "@/server/api/operation";
import { createFileResponse } from "@/server/api/rest/file-response";

/** What surrounds a file in a form, in bytes. */
const MAX_FORM_BYTES = 64 * 1024;

export const createFileOperation = defineOperation({
  name: "files.create",
  method: "POST",
  path: "/files",
  summary: "Add a file to a chat",
  scope: "chat",
  input: CreateFileInput,
  bodyType: "file",
  maxBodyBytes: MAX_ARTIFACT_BYTES + MAX_FORM_BYTES,
  output: Artifact,
  status: 201,
  location: ({ id }) => `/files/${id}`,
  run: (ctx, { chat_id, name, media_type, file }) =>
    createFile(ctx, { chatId: chat_id, name, declaredType: media_type, bytes: file }),
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
  input: FileRef,
  respond: async (ctx, { file_id }, request) => {
    const artifact = await findArtifact(ctx.db, { id: file_id, viewer: ctx.actor });
    if (!artifact) throw new DomainError("not_found", `There is no file "${file_id}".`);
    return createFileResponse(ctx.db, artifact, request);
  },
});
