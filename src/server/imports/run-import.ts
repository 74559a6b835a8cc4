import type { Logger } from "pino";
import { DomainError, isUnavailable } from "@/contract/domain-error";
import type { ImportProblem } from "@/contract/import";
import type { Database } from "@/server/db/connection/database";
import type { Viewer } from "@/server/db/chats/viewer";
import { findImported, type ImportRow, listOwnChats } from "@/server/db/imports/import-reads";
import { findDefaultModel, listModels } from "@/server/db/settings/model-reads";
import { deleteUnfinishedChats } from "@/server/db/sql/machine/import-inserts";
import type { ImportLease } from "@/server/db/sql/writes/import-leases";
import { maskJson } from "@/server/tools/mask-json";
import { type Archive, openArchive } from "./archive";
import { convert, type Converted } from "./convert";
import type { Conversation, ConvertedChat } from "./conversation";
import { readConversations } from "./read-conversations";
import {
  type Batch,
  LostImportError,
  type Place,
  type ReadyConversation,
  storeBatch,
  storeLong,
} from "./store-conversations";
import { listFileIds, storeFiles } from "./store-files";
import { toChatRows } from "./to-rows";

export type ImportDeps = {
  db: Database;
  newId: () => string;
  log: Pick<Logger, "warn">;
  /** Largest size of the documents of an archive, unpacked, in bytes. */
  maxUnpackedBytes: number;
};

type RunDeps = ImportDeps & {
  viewer: Viewer;
  lease: ImportLease;
  archive: Archive;
  models: Models;
  /** Whether to go on; asked after each commit. */
  canContinue: () => Promise<boolean>;
};

/** Conversations that are looked up and stored together. */
const BATCH_CONVERSATIONS = 10;
/** Bytes of their documents, for which others wait with an embedded database. */
const BATCH_BYTES = 64 * 1024;
/** A conversation with more messages, or more bytes of its document, is stored by itself and in pieces. */
const MAX_WHOLE_MESSAGES = 200;
const MAX_WHOLE_BYTES = 512 * 1024;

/**
 * Imports from where the last commit has left off.
 *
 * @returns whether it is done; false when it was not to go on.
 * @throws {DomainError} when the archive cannot be read.
 * @throws {LostImportError} when the import was deleted, or another worker goes on with it.
 */
export const runImport = async (
  deps: ImportDeps & Pick<RunDeps, "lease" | "canContinue">,
  row: ImportRow,
): Promise<boolean> => {
  const { db } = deps;
  const { id: importId, ownerId: userId, size } = row;
  await deleteUnfinishedChats(db, importId);
  const archive = await openArchive(db, { importId, size }, deps);
  const run = { ...deps, archive, viewer: { userId }, models: await readModels(db) };
  let doneBytes = 0;
  for (const [documentIndex, document] of archive.documents.entries()) {
    if (documentIndex >= row.documentIndex) {
      const position = documentIndex === row.documentIndex ? row.position : 0;
      const place = { source: row.source, documentIndex, position, readBytes: doneBytes };
      if (!(await runDocument(run, document, place))) return false;
    }
    doneBytes += document.size;
  }
  return true;
};

/** @returns false when it was not to go on. */
const runDocument = async (
  run: RunDeps,
  document: Archive["documents"][number],
  start: Place,
): Promise<boolean> => {
  const { documentIndex, readBytes: doneBytes } = start;
  const pending: Converted[] = [];
  let stored = start;
  let place = start;
  const store = async (isLong: boolean): Promise<boolean> => {
    if (pending.length > 0) {
      const group = { converted: pending.splice(0), from: stored, place, isLong };
      stored = { ...place, source: await storeGroup(run, group) };
      place = stored;
    }
    return run.canContinue();
  };
  let broken: string | undefined;
  const conversations = readConversations(await document.open(), (reason) => (broken = reason));
  let position = 0;
  for await (const { value, readBytes } of conversations) {
    position += 1;
    if (position <= start.position) continue;
    const next = { ...place, position, readBytes: doneBytes + readBytes };
    const converted = convert(value);
    const isLong = isLongConversation(converted, next.readBytes - place.readBytes);
    if (isLong && !(await store(false))) return false;
    pending.push(converted);
    place = { ...next, source: place.source };
    const isFull =
      pending.length === BATCH_CONVERSATIONS || place.readBytes - stored.readBytes > BATCH_BYTES;
    if ((isLong || isFull) && !(await store(isLong))) return false;
  }
  if (broken !== undefined) pending.push({ title: document.name, reason: broken });
  const readBytes = doneBytes + document.size;
  place = { ...place, documentIndex: documentIndex + 1, position: 0, readBytes };
  await storeGroup(run, { converted: pending, from: stored, place, isLong: false });
  return run.canContinue();
};

const isLongConversation = (converted: Converted, bytes: number): boolean =>
  "chats" in converted &&
  (bytes > MAX_WHOLE_BYTES ||
    converted.chats.reduce((sum, { chat }) => sum + chat.messages.length, 0) > MAX_WHOLE_MESSAGES);

type Group = {
  converted: readonly Converted[];
  /** Where the import is before them, and after them. */
  from: Place;
  place: Place;
  isLong: boolean;
};

/** Stores what was converted, and the place after it. @returns what the archive is an export of. */
const storeGroup = async (
  run: RunDeps,
  { converted, from, place, isLong }: Group,
): Promise<Place["source"]> => {
  const conversations = converted.filter((one) => "chats" in one);
  const source = place.source ?? conversations[0]?.source ?? null;
  const problems: ImportProblem[] = converted.flatMap((one) =>
    "reason" in one ? [{ title: one.title, reason: one.reason }] : [],
  );
  const ids = await findKnown(run, conversations);
  const fresh = conversations.filter(({ chats: [first] }) => !ids.has(first.sourceId));
  const ready: ReadyConversation[] = [];
  for (const conversation of fresh) {
    // An export may have a conversation twice.
    if (ids.has(conversation.chats[0].sourceId)) continue;
    const { notes, ...rows } = await prepare(run, conversation, ids);
    problems.push(...notes.map((reason) => ({ title: conversation.title, reason })));
    ready.push(rows);
  }
  const known = conversations.length - ready.length;
  const batch = { conversations: ready, problems, known, place: { ...place, source } };
  const store = isLong && ready.length > 0 ? storeLong : storeBatch;
  try {
    await store(run, batch);
  } catch (error) {
    if (isFatal(error)) throw error;
    await storeOneByOne(run, batch, { ...from, source });
  }
  return source;
};

const isFatal = (error: unknown): boolean =>
  error instanceof LostImportError || isUnavailable(error);

/** Finds which conversation the database refuses: it is a row of the report, and the others are stored. */
const storeOneByOne = async (run: RunDeps, batch: Batch, from: Place): Promise<void> => {
  const problems = [...batch.problems];
  await deleteUnfinishedChats(run.db, run.lease.importId);
  for (const conversation of batch.conversations) {
    try {
      const alone = { conversations: [conversation], problems: [], known: 0, place: from };
      await storeLong(run, alone);
    } catch (error) {
      if (isFatal(error)) throw error;
      if (!(error instanceof DomainError)) {
        run.log.warn({ err: error }, "a conversation of an import could not be stored");
      }
      const reason = error instanceof DomainError ? error.message : "It could not be stored.";
      problems.push({ title: conversation.chats[0]?.chat.title ?? "", reason });
      await deleteUnfinishedChats(run.db, run.lease.importId);
    }
  }
  await storeBatch(run, { ...batch, conversations: [], problems });
};

/** Finds the chats that the conversations are already, and those that they come from. */
const findKnown = async (
  { db, viewer }: RunDeps,
  conversations: readonly Conversation[],
): Promise<Map<string, string>> => {
  const chats = conversations.flatMap((conversation) => conversation.chats);
  const sourceIds = [
    ...new Set(
      chats.flatMap(({ sourceId, chat }) => [sourceId, toOriginId(sourceId, chat) ?? sourceId]),
    ),
  ];
  const known = await findImported(db, { viewer, sourceIds });
  // An export that comes back to where it was made.
  const own = await listOwnChats(db, { viewer, sourceIds });
  return new Map([...own, ...known]);
};

const toOriginId = (
  sourceId: string,
  { forked_from: fork }: ConvertedChat["chat"],
): string | undefined =>
  fork && fork.chat_id !== null ? `${sourceId.split(":", 1)[0]}:${fork.chat_id}` : undefined;

type Models = { byName: ReadonlyMap<string, string>; defaultId: string | null };

const readModels = async (db: Database): Promise<Models> => {
  const models = await listModels(db);
  const enabled = models.filter((model) => model.enabled);
  return {
    byName: new Map(enabled.map(({ id, provider, model }) => [`${provider}/${model}`, id])),
    defaultId: findDefaultModel(models)?.id ?? null,
  };
};

/** Stores the files of a conversation, and makes the rows of its chats. @param ids of chats by their sources; gets these. */
const prepare = async (
  run: RunDeps,
  conversation: Conversation,
  ids: Map<string, string>,
): Promise<ReadyConversation & { notes: readonly string[] }> => {
  const { viewer, newId, models, archive, db } = run;
  const { stored, notes } = await storeFiles({ db, newId, archive, actor: viewer }, conversation);
  const chats = [];
  for (const { sourceId, chat } of conversation.chats) {
    const { byName, defaultId } = models;
    const rows = toChatRows(await maskOutputs(chat), {
      files: stored,
      by: viewer.userId,
      newId,
      origin: {
        modelId: byName.get(chat.model ?? "") ?? defaultId,
        forkedFromId: ids.get(toOriginId(sourceId, chat) ?? "") ?? null,
      },
    });
    ids.set(sourceId, rows.chat.id);
    const fileIds = listFileIds(chat).flatMap((id) => stored.get(id)?.id ?? []);
    chats.push({ ...rows, sourceId, fileIds: [...new Set(fileIds)] });
  }
  return { chats, files: [...stored.values()], notes: [...conversation.notes, ...notes] };
};

/** Masks the secrets in the outputs of calls, each by itself, as a conversation may have megabytes of them. */
const maskOutputs = async (chat: ConvertedChat["chat"]): Promise<ConvertedChat["chat"]> => {
  const messages: typeof chat.messages = [];
  for (const message of chat.messages) {
    if (message.role !== "assistant" || typeof message.content === "string") {
      messages.push(message);
      continue;
    }
    const content: typeof message.content = [];
    for (const part of message.content) {
      if (part.type !== "tool_call") content.push(part);
      else {
        content.push({ ...part, output: maskJson(part.output) });
        await new Promise(setImmediate);
      }
    }
    messages.push({ ...message, content });
  }
  return { ...chat, messages };
};
