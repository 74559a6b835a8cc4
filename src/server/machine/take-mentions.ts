import type { Mentions } from "@/contract/group";
import { addToChoice, type SentChoice } from "@/lib/tool-choice";
import type { ChatRow } from "@/server/db/chats/rows";
import type { Queryable } from "@/server/db/connection/database";
import { readGroups } from "@/server/db/settings/group-reads";
import type { LockedChange } from "@/server/db/sql/machine/locked-transition";
import { takeGroupTools } from "@/server/tools/group-tools";

type Taken = Pick<LockedChange, "choice" | "dynamicTools"> & {
  /** Whether the groups have more tools than the chat has room for; it then gets those that fit. */
  isOver: boolean;
};

/** Finds what a chat takes with a message: the tools and groups that it mentions, and the dynamic tools of these groups. */
export const takeMentions = async (
  tx: Queryable,
  chat: ChatRow,
  mentions: Mentions,
): Promise<Taken> => {
  const choice = addMentions(chat, mentions);
  const { groups } = choice ?? {};
  if (groups === undefined || groups.length === chat.groupNames.length) {
    return { choice, isOver: false };
  }
  const { dynamicTools, isOver } = takeGroupTools(chat, groups, await readGroups(tx));
  return { choice, dynamicTools, isOver };
};

const addMentions = (
  { toolNames, groupNames }: ChatRow,
  { tools, groups }: Mentions,
): SentChoice | undefined =>
  addToChoice({ tools: toolNames, groups: groupNames }, [
    ...tools.map((name) => ({ kind: "tool" as const, name })),
    ...groups.map((name) => ({ kind: "group" as const, name })),
  ]);
