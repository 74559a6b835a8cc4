import { expect } from "vitest";
import { chooseBranch } from "@/server/chat/choose-branch";
import type { ServerContext } from "@/server/context";
import type { MessageRow } from "@/server/db/chats/rows";
import { readChatChanges } from "@/server/db/sql/reads/chat-reads";
import { listMessages } from "@/server/db/sql/reads/message-reads";
import { readWholeHistory } from "./chat-probe";

const LIMIT = 10_000;

/** Reads all messages of a chat as its pages show them. */
const readPage = async (ctx: ServerContext, chatId: string): Promise<MessageRow[]> =>
  (await listMessages(ctx.db, { chatId, viewer: ctx.actor, limit: LIMIT }))?.messages ?? [];

/** Lists the first messages of all versions of a chat that people can choose. */
export const listAlternatives = async (ctx: ServerContext, chatId: string): Promise<string[]> =>
  (await readPage(ctx, chatId)).flatMap(({ alternatives = [] }) =>
    alternatives.flatMap(({ ids }) => ids),
  );

const isNoEvent = ({ role }: MessageRow): boolean => role !== "event";
const toIds = (messages: readonly MessageRow[]): string[] => messages.map(({ id }) => id);

/**
 * Chooses an alternative, and goes back to what was there before: the history must then be the former one. Finally chooses
 * it again.
 */
export const expectChoice = async (
  ctx: ServerContext,
  choice: { chatId: string; messageId: string },
): Promise<void> => {
  const read = () => readWholeHistory(ctx.db, choice.chatId);
  const before = await read();
  const shown = (await readPage(ctx, choice.chatId)).find(({ alternatives = [] }) =>
    alternatives.some(({ ids }) => ids.includes(choice.messageId)),
  );
  await chooseBranch(ctx, choice);
  const after = await read();
  expect(toIds(after)).toContain(choice.messageId);
  expectTurns(after);
  if (shown && shown.id !== choice.messageId && !isUnanswered(shown)) {
    expect(toIds(after)).not.toContain(shown.id);
    await chooseBranch(ctx, { ...choice, messageId: shown.id });
    expect(toPath(await read())).toEqual(toPath(before));
    await chooseBranch(ctx, choice);
    expect(toPath(await read())).toEqual(toPath(after));
  }
};

const isUnanswered = ({ alternatives = [] }: MessageRow): boolean =>
  alternatives.some((each) => each.isUnanswered);

/** A history without what each choice changes. */
const toPath = (messages: readonly MessageRow[]) =>
  messages.map((message) => ({ ...message, revision: 0, turnId: "" }));

/** Each answer follows a message that begins its turn. */
const expectTurns = (messages: readonly MessageRow[]): void => {
  const hasBeginning = messages.map(
    ({ role, turnId }, index) =>
      role !== "assistant" ||
      messages
        .slice(0, index)
        .some((other) => other.role !== "assistant" && other.turnId === turnId),
  );
  expect(hasBeginning).not.toContain(false);
};

/** Watches a chat by its changes, as a stream does. */
export const createWatcher = (ctx: ServerContext, chatId: string) => {
  const known = new Map<string, MessageRow>();
  let version = 0;
  let path: string[] = [];
  /** What followed each message when it was last on the path. */
  const seen = new Map<string, string[]>();
  const expectSamePath = (page: readonly MessageRow[]): void => {
    const ids = toIds(page.filter(isNoEvent));
    const back = ids.findIndex((id) => !path.includes(id) && seen.has(id));
    if (back !== -1) expect(ids.slice(back)).toEqual(seen.get(ids[back] ?? ""));
    path = ids;
    for (const [index, id] of ids.entries()) seen.set(id, ids.slice(index));
  };
  return {
    /** Reads the changes, and compares what the watcher has with what a page shows. */
    expectWhole: async (): Promise<void> => {
      const changes = await readChatChanges(ctx.db, { chatId, viewer: ctx.actor, after: version });
      for (const message of changes?.messages ?? []) {
        if (message.deleted) known.delete(message.id);
        else known.set(message.id, message);
      }
      version = changes?.chat.version ?? version;
      const watched = [...known.values()].sort((one, other) => one.seq - other.seq);
      const page = await readPage(ctx, chatId);
      expect(toShown(watched)).toEqual(toShown(page));
      expectSamePath(page);
    },
  };
};

/** The answers that a message had are shown while it has none. */
const toShown = (messages: readonly MessageRow[]) => {
  const last = messages.findLast(isNoEvent);
  return messages.map((message) => ({
    id: message.id,
    seq: message.seq,
    alternatives: (message.alternatives ?? []).filter(
      ({ isUnanswered: isMissing }) => !isMissing || message === last,
    ),
  }));
};
