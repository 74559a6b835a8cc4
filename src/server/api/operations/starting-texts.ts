import * as z from "zod";
import { CreateStartingTextInput, StartingText, StartingTextList } from "@/contract/starting-text";
import { listStartingTexts, type StartingTextRow } from "@/server/db/settings/starting-text-reads";
import { createStartingText, deleteStartingText } from "@/server/settings/manage-starting-texts";
import { defineOperation } from "@/server/api/operation";

export const listStartingTextsOperation = defineOperation({
  name: "startingTexts.list",
  method: "GET",
  path: "/starting-texts",
  summary: "List the texts that the caller begins chats with",
  scope: "read",
  isOfAccount: true,
  input: z.strictObject({}),
  output: StartingTextList,
  status: 200,
  run: async ({ db, actor }) => ({
    data: (await listStartingTexts(db, actor.userId)).map(toWireText),
  }),
});

export const createStartingTextOperation = defineOperation({
  name: "startingTexts.create",
  method: "POST",
  path: "/starting-texts",
  summary: "Keep a text to begin chats with",
  scope: "chat",
  isOfAccount: true,
  input: CreateStartingTextInput,
  output: StartingText,
  status: 201,
  run: async (ctx, { text }) => toWireText(await createStartingText(ctx, text)),
});

export const deleteStartingTextOperation = defineOperation({
  name: "startingTexts.delete",
  method: "DELETE",
  path: "/starting-texts/{text_id}",
  summary: "Remove a text that the caller begins chats with",
  scope: "chat",
  isOfAccount: true,
  input: z.strictObject({ text_id: z.string() }),
  output: z.void(),
  status: 204,
  run: (ctx, { text_id }) => deleteStartingText(ctx, text_id),
});

const toWireText = ({ id, text, createdAt }: StartingTextRow): StartingText => ({
  id,
  text,
  created_at: createdAt.toISOString(),
});
