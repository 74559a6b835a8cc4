import type { Labels } from "@/contract/labels";
import type { AutoSubmitInput } from "@/contract/chat-inputs";
import type { Content, UserContent } from "@/contract/content";
import type { HistoryMessages } from "@/contract/history";
import { DomainError } from "@/contract/domain-error";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { ChatParameters } from "@/contract/parameters";
import type { ResponseFormat } from "@/contract/response-format";
import { DEFAULT_ACTION_TIMEOUT_SECONDS, DEFAULT_MAX_STEPS } from "@/contract/limits";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import { type Actor, actorId, type ServerContext } from "@/server/context";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import {
  insertChats,
  insertChatWithHistory,
  insertClaimedChat,
  type NewChat,
  toFirstMessage,
} from "@/server/db/sql/machine/chat-inserts";
import { type GivenMessage, insertHistory } from "@/server/db/sql/machine/history-inserts";
import { moveToChat } from "@/server/db/chats/artifact-writes";
import { findExternalChatId } from "@/server/db/chats/chat-existence-reads";
import type { ChatRow } from "@/server/db/chats/rows";
import { ownedBy, toViewer } from "@/server/db/chats/viewer";
import { toContentTitle } from "@/server/machine/initial-title";
import { beginTurn } from "./begin-turn";
import { takeTools } from "./declared-tools";
import { listHistoryFiles, maskHistory, toHistoryRows } from "./history-rows";
import {
  fillContent,
  fillParts,
  findNamedFiles,
  isTextOnly,
  listUnsent,
  lockFiles,
  type NamedFiles,
} from "./message-files";
import { findModelId, unknownModel } from "./require-model";
import { requireNewChats, withViewerLabels } from "./viewer-labels";

export type CreateChat = {
  /** The first message; not given with a history. */
  content?: Content | undefined;
  messages?: HistoryMessages | undefined;
  systemPrompt?: string | undefined;
  modelId?: string | undefined;
  parameters?: ChatParameters | undefined;
  /** Of the last answer of the first turn. */
  responseFormat?: ResponseFormat | undefined;
  dynamicTools?: DynamicTool[] | undefined;
  toolNames?: string[] | undefined;
  groupNames?: string[] | undefined;
  autoSubmit?: AutoSubmitInput | undefined;
  wakeOnReports?: boolean | undefined;
  labels?: Labels | undefined;
  actionTimeoutSeconds?: number | undefined;
  maxSteps?: number | undefined;
  isTemporary?: boolean | undefined;
  externalId?: string | undefined;
};

/**
 * Makes a chat with its first message, or with a history; a worker answers its last message if that is of the user. One
 * statement, so there is no chat without a message; with files or a history a transaction.
 *
 * @throws {DomainError} `forbidden` for what the key is not for; `invalid` when the model is unknown or disabled, or a file, a tool or a group is unknown, or when the
 *   groups have more tools than a chat has room for; `limit_exceeded` when it has no room for the files; `conflict`, having
 *   written nothing, when another chat of the owner has its external id.
 */
export const createChat = async (ctx: ServerContext, given: CreateChat): Promise<ChatRow> => {
  const input = { ...given, modelId: await findModelId(ctx.db, given.modelId) };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await requireFree(ctx, input);
    const row = await tryCreateChat(ctx, input);
    if (row) return row;
    if (input.externalId === undefined) break;
  }
  throw unknownModel(input.modelId ?? "");
};

/** The chat with the external id that an insert has found may be deleted before it is looked at, but hardly again and again. */
const MAX_ATTEMPTS = 3;

const requireFree = async (
  { db, actor }: ServerContext,
  { externalId }: CreateChat,
): Promise<void> => {
  if (externalId === undefined) return;
  const chatId = await findExternalChatId(db, { externalId, viewer: actor });
  if (chatId === undefined) return requireFreeOutside(db, { externalId, actor });
  throw new DomainError(
    "conflict",
    'One of your chats has this external_id already. Use that chat, or send if_exists "return" or "send".',
    { reason: "external_id_taken", chatId, shouldRetry: false },
  );
};

/** Of a key that does not see all chats of its owner, among whom an external id is unique. */
const requireFreeOutside = async (
  db: Queryable,
  { externalId, actor }: { externalId: string; actor: Actor },
): Promise<void> => {
  if (actor.labels === undefined) return;
  const viewer = toViewer(ownedBy(actor));
  if ((await findExternalChatId(db, { externalId, viewer })) === undefined) return;
  throw new DomainError(
    "conflict",
    "Another chat, which this key may not see, has this external_id already. Choose another one.",
    { reason: "external_id_taken", shouldRetry: false },
  );
};

/**
 * Waits for a transaction that inserts a chat with the same external id, and then inserts none.
 *
 * @returns undefined when the model is unknown or disabled, or when the external id is taken.
 */
const tryCreateChat = async (
  ctx: ServerContext,
  input: CreateChat,
): Promise<ChatRow | undefined> => {
  const chat = await toNewChat(ctx, input);
  const { content = [], messages } = input;
  if (messages) return createWithHistory(ctx, { chat, messages });
  return isTextOnly(content)
    ? insertAndBegin(ctx, toChatWithMessage(chat, content))
    : ctx.db.transaction((tx) => insertWithFiles(tx, ctx, { chat, content }));
};

const toNewChat = async (ctx: ServerContext, input: CreateChat): Promise<ChatWithoutMessage> => {
  requireNewChats(ctx.actor);
  const id = ctx.newId();
  const { dynamicTools, warnings } = await takeTools(ctx, id, input);
  return {
    id,
    viewer: ctx.actor,
    messageId: ctx.newId(),
    turnId: ctx.newId(),
    createdBy: actorId(ctx.actor),
    systemPrompt: input.systemPrompt ?? null,
    modelId: input.modelId ?? null,
    parameters: input.parameters ?? {},
    responseFormat: input.responseFormat,
    dynamicTools,
    ...toToolSettings(input),
    wakeOnReports: input.wakeOnReports ?? true,
    warnings,
    labels: withViewerLabels(ctx.actor, input.labels ?? {}),
    actionTimeoutSeconds: input.actionTimeoutSeconds ?? DEFAULT_ACTION_TIMEOUT_SECONDS,
    maxSteps: input.maxSteps ?? DEFAULT_MAX_STEPS,
    keptHours: input.isTemporary ? ctx.temporaryChatHours : null,
    externalId: input.externalId,
  };
};

type ChatWithoutMessage = Omit<NewChat, "title" | "content">;

const toChatWithMessage = (chat: ChatWithoutMessage, content: UserContent): NewChat => ({
  ...chat,
  content,
  title: toContentTitle(content),
});

const insertAndBegin = (ctx: ServerContext, chat: NewChat): Promise<ChatRow | undefined> => {
  ctx.newChat?.open(chat.id);
  return beginTurn<ChatRow | undefined>(ctx, async (room) => {
    const claimed = room && (await insertClaimedChat(ctx.db, chat, room));
    const [result] = room ? [claimed] : await insertChats(ctx.db, [chat]);
    // Before the worker adds its claim.
    if (result) ctx.recent.add({ chat: result, messages: [toFirstMessage(chat, result)] });
    return { result, claimed };
  });
};

const insertWithFiles = async (
  tx: Transaction,
  ctx: ServerContext,
  { chat, content }: { chat: ChatWithoutMessage; content: Content },
): Promise<ChatRow | undefined> => {
  await lockFiles(tx, ctx, content);
  const filled = await fillContent(tx, ctx, { content, rootChatId: chat.id });
  const [row] = await insertChats(tx, [toChatWithMessage(chat, filled.content)]);
  if (row) await moveToChat(tx, { chatId: chat.id, files: filled.unsent });
  return row;
};

/** Commits a history as a whole. What is slow is done before the transaction, which others may wait for. */
const createWithHistory = async (
  ctx: ServerContext,
  { chat, messages: given }: { chat: ChatWithoutMessage; messages: HistoryMessages },
): Promise<ChatRow | undefined> => {
  const messages = await maskHistory(given);
  const named = listHistoryFiles(messages);
  return ctx.db.transaction(async (tx) => {
    if (named.length > 0) await lockArtifacts(tx, ctx.actor);
    const files = await findNamedFiles(tx, ctx, { named, rootChatId: chat.id });
    const { newId } = ctx;
    const rows = withFormat(
      toHistoryRows(messages, { files, by: chat.createdBy, newId }),
      chat.responseFormat,
    );
    const row = await insertChatWithHistory(tx, {
      ...chat,
      title: toHistoryTitle(messages, files),
      status: rows.at(-1)?.role === "user" ? "pending" : "waiting",
      turnId: rows.at(-1)?.turnId ?? chat.turnId,
      lastSeq: rows.length,
    });
    if (!row) return undefined;
    await insertHistory(tx, chat.id, rows);
    await moveToChat(tx, { chatId: chat.id, files: listUnsent(files) });
    return row;
  });
};

/** @throws {DomainError} `invalid` for a format of a history that begins no turn. */
const withFormat = (
  rows: readonly GivenMessage[],
  responseFormat: ResponseFormat | undefined,
): readonly GivenMessage[] => {
  const last = rows.at(-1);
  if (!responseFormat || !last) return rows;
  if (last.role !== "user") {
    throw new DomainError(
      "invalid",
      "A history without a last message of the user begins no turn.",
      {
        errors: [{ pointer: "/response_format", message: "is of no turn" }],
      },
    );
  }
  return [...rows.slice(0, -1), { ...last, responseFormat }];
};

const toHistoryTitle = (messages: HistoryMessages, files: NamedFiles): string => {
  const first = messages.find(({ role }) => role === "user");
  return first?.role === "user" ? toContentTitle(fillParts(first.content, files)) : "";
};

/** What a new chat says of tools, with the defaults. */
const toToolSettings = ({ toolNames, groupNames, autoSubmit }: CreateChat) => ({
  toolNames: toolNames ?? null,
  groupNames: groupNames ?? [],
  autoSubmitSuccess: autoSubmit?.success ?? true,
  autoSubmitError: autoSubmit?.error ?? true,
});
