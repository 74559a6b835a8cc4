import * as z from "zod";
import { CreateImportInput, Import, ImportList, ImportRef, ImportReport } from "@/contract/import";
import { defineOperation } from "@/server/api/operation";
import {
  findImport,
  type ImportRow,
  listImportProblems,
  listImports,
} from "@/server/db/imports/import-reads";
import { createImport, deleteImport, unknownImport } from "@/server/imports/create-import";

const toWireImport = (row: ImportRow): Import => ({
  id: row.id,
  name: row.name,
  state: row.state,
  source: row.source,
  size: row.size,
  total_bytes: row.totalBytes,
  read_bytes: row.readBytes,
  chats: row.chats,
  messages: row.messages,
  files: row.files,
  known: row.known,
  problems: row.problems,
  error: row.error,
  created_at: row.createdAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
});

export const createImportOperation = defineOperation({
  name: "imports.create",
  method: "POST",
  path: "/imports",
  summary: "Import chats from an archive of Parley, ChatGPT or Claude",
  scope: "chat",
  isOfAccount: true,
  input: CreateImportInput,
  bodyType: "stream",
  ignoresIdempotencyKey: true,
  output: Import,
  status: 201,
  location: ({ id }) => `/imports/${id}`,
  run: async (ctx, input) => toWireImport(await createImport(ctx, input)),
});

export const listImportsOperation = defineOperation({
  name: "imports.list",
  method: "GET",
  path: "/imports",
  summary: "List the imports of the caller, newest first",
  scope: "read",
  isOfAccount: true,
  input: z.strictObject({}),
  output: ImportList,
  status: 200,
  run: async ({ db, actor }) => ({ data: (await listImports(db, actor)).map(toWireImport) }),
});

export const getImportOperation = defineOperation({
  name: "imports.get",
  method: "GET",
  path: "/imports/{import_id}",
  summary: "Get an import: how far it is, and what could not be read",
  scope: "read",
  isOfAccount: true,
  input: ImportRef,
  output: ImportReport,
  status: 200,
  run: async ({ db, actor }, { import_id: id }) => {
    const row = await findImport(db, { id, viewer: actor });
    if (!row) throw unknownImport(id);
    return { ...toWireImport(row), report: await listImportProblems(db, id) };
  },
});

export const deleteImportOperation = defineOperation({
  name: "imports.delete",
  method: "DELETE",
  path: "/imports/{import_id}",
  summary: "Stop an import if it is not over, and forget it; the chats that it has made stay",
  scope: "chat",
  isOfAccount: true,
  input: ImportRef,
  output: z.void(),
  status: 204,
  run: (ctx, { import_id }) => deleteImport(ctx, import_id),
});
