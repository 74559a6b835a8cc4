import type { ChatStatus } from "@/contract/chat";
import { isRunByClient } from "@/contract/run-by-client";
import type { Queryable } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";
import type { MessageRow } from "@/server/db/chats/rows";
import { toViewer, type Viewer } from "@/server/db/chats/viewer";

/** What is committed of a chat whose turn has ended. */
export type TurnEnd = {
  /** For whom the worker acts in the chat. */
  viewer: Viewer;
  isAgent: boolean;
  /** The chat, or the one that has started the agent: it shows what agents ask for as well. */
  rootChatId: string;
  /** Of the root chat. */
  title: string;
  status: ChatStatus;
  isArchived: boolean;
  turnId: string;
  /** Whether a program, and no person, has written the last message to the chat or to the one that has started it. */
  isOfProgram: boolean;
  last:
    | {
        turnId: string;
        revision: number;
        role: MessageRow["role"];
        interrupted: boolean;
        texts: string[];
        /** The tools whose calls wait for a client or an approval. */
        waitingTools: string[];
        /** Whether programs can answer all that it waits for. */
        isForPrograms: boolean;
      }
    | undefined;
};

const API_KEY = "api_key:";

/** The last message of a chat, with what of it a person may be notified of. */
const LAST_MESSAGE = {
  where: { deleted: false },
  orderBy: { seq: "desc" },
  take: 1,
  select: {
    turnId: true,
    revision: true,
    role: true,
    interrupted: true,
    parts: {
      where: { type: { in: ["text", "tool_call"] } },
      orderBy: { index: "asc" },
      select: { text: true, toolName: true, state: true, kind: true },
    },
  },
} as const satisfies Prisma.Chat$messagesArgs;

const WAITING: ReadonlySet<string | null> = new Set(["awaiting_result", "awaiting_approval"]);

export const readTurnEnd = async (
  { prisma }: Queryable,
  chatId: string,
): Promise<TurnEnd | undefined> => {
  const chat = await prisma.chat.findUnique({
    where: { id: chatId },
    // The tools of a client may be long.
    omit: { dynamicTools: true, systemPrompt: true },
    include: { messages: LAST_MESSAGE },
  });
  if (!chat) return undefined;
  const { rootChatId, status, turnId } = chat;
  const root = await prisma.chat.findUnique({
    where: { id: rootChatId },
    select: {
      title: true,
      messages: {
        where: { role: "user", deleted: false },
        orderBy: { seq: "desc" },
        take: 1,
        select: { createdBy: true },
      },
    },
  });
  if (!root) return undefined;
  const [last] = chat.messages;
  return {
    viewer: toViewer(chat),
    isAgent: chat.parentChatId !== null,
    rootChatId,
    title: root.title,
    status,
    isArchived: chat.archivedAt !== null,
    turnId,
    isOfProgram: root.messages[0]?.createdBy?.startsWith(API_KEY) ?? false,
    last: last && {
      ...last,
      texts: last.parts.flatMap(({ text }) => text ?? []),
      isForPrograms: last.parts.every(
        ({ state, kind }) =>
          !WAITING.has(state) ||
          (state === "awaiting_result" && kind !== null && isRunByClient(kind)),
      ),
      waitingTools: last.parts.flatMap(({ toolName, state }) =>
        toolName !== null && WAITING.has(state) ? toolName : [],
      ),
    },
  };
};
