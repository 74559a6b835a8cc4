import { EXPORT_FORMAT, type ExportedChat, type ExportedMessage } from "@/contract/exported-chat";
import type { ImportSource } from "@/contract/import";
import { MAX_TITLE_LENGTH } from "@/contract/limits";
import { isSameJson } from "@/lib/is-same-json";
import type { Conversation, ConvertedChat, FileContent } from "./conversation";
import { listPaths, type TreeNode } from "./paths";

/** A conversation of another program whose ways through the tree of its messages are known. */
export type ForeignConversation<Value> = {
  source: ImportSource;
  id: string;
  title: string;
  archived: boolean;
  pinned: boolean;
  created_at: string | undefined;
  updated_at: string | undefined;
  /** The tree of its messages, and the one that was shown last. */
  nodes: readonly TreeNode<Value>[];
  current: string | undefined;
  /** Converts the messages of a way through the tree, and adds what it finds in them. */
  toMessages: (values: readonly Value[], finds: Finds) => ExportedMessage[];
};

/** What is found in a conversation in addition to its messages. */
export type Finds = {
  files: Map<string, { name: string; content: FileContent }>;
  notes: Set<string>;
};

/** @returns undefined when it has no messages. */
export const toConversation = <Value>(
  foreign: ForeignConversation<Value>,
): Conversation | undefined => {
  const { source, id, nodes, current, toMessages } = foreign;
  const finds: Finds = { files: new Map(), notes: new Set() };
  const { paths, leftOut } = listPaths(nodes, current);
  const [first, ...branches] = paths.map(({ leaf, values }) => ({
    leaf,
    messages: toMessages(values, finds),
  }));
  if (!first || first.messages.length === 0) return undefined;
  const main = first.messages;
  const title = foreign.title.trim().slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const shown = {
    sourceId: `${source}:${id}`,
    chat: toChat(foreign, { title, messages: main, forked_from: null }),
  };
  const others = branches.flatMap(({ leaf, messages }): ConvertedChat[] => {
    const shared = countShared(main, messages);
    // What the person has not seen, such as a search that was given up.
    if (shared === messages.length) return [];
    const chat = toChat(foreign, {
      title: toBranchTitle(title),
      messages,
      forked_from: { chat_id: id, messages: shared },
    });
    return [{ sourceId: `${source}:${id}#${leaf}`, chat }];
  });
  if (leftOut > 0) {
    finds.notes.add(`It has too many or too long branches: ${leftOut} are left out.`);
  }
  return { source, chats: [shown, ...others], files: finds.files, notes: [...finds.notes] };
};

const SUFFIX = " (branch)";

const toBranchTitle = (title: string): string =>
  title === "" ? "" : `${title.slice(0, MAX_TITLE_LENGTH - SUFFIX.length).toWellFormed()}${SUFFIX}`;

const countShared = (
  main: readonly ExportedMessage[],
  other: readonly ExportedMessage[],
): number => {
  const index = other.findIndex((message, place) => !isSameJson(message, main[place]));
  return index < 0 ? other.length : index;
};

const toChat = (
  {
    id,
    archived,
    pinned,
    created_at,
    updated_at,
  }: Omit<ForeignConversation<unknown>, "nodes" | "current" | "toMessages">,
  { title, messages, forked_from }: Pick<ExportedChat, "title" | "messages" | "forked_from">,
): ExportedChat => {
  const times = messages.flatMap((message) => message.created_at ?? []);
  const createdAt = created_at ?? times[0] ?? updated_at ?? UNKNOWN_TIME;
  return {
    format: EXPORT_FORMAT,
    id,
    title,
    archived,
    pinned: pinned && forked_from === null,
    labels: {},
    system_prompt: null,
    model: null,
    created_at: createdAt,
    updated_at: updated_at ?? times.at(-1) ?? createdAt,
    messages,
    files: [],
    forked_from,
  };
};

const UNKNOWN_TIME = new Date(0).toISOString();
