import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { GroupSummary } from "@/contract/group";
import type { Tool } from "@/contract/tool";
import { findMentionables, listMentionedNames, type Mentionable } from "@/lib/mentions";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";
import { useTools } from "./use-tools";

/**
 * Loads the tools and groups that a chat can choose.
 *
 * @param isNeeded false while nothing is chosen or mentioned: most chats choose nothing.
 * @returns undefined until they are loaded. Groups come first, so that a name that is both means the group.
 */
export const useMentionables = (isNeeded: boolean): readonly Mentionable[] | undefined => {
  const trpc = useTRPC();
  const tools = useTools({ isNeeded }).data;
  const groups = useQuery({
    ...trpc.groups.list.queryOptions({}),
    enabled: isNeeded,
    select: ({ data }: { data: GroupSummary[] }) => data,
  }).data;
  return useMemo(() => tools && groups && toMentionables(groups, tools), [tools, groups]);
};

/** What a text chooses when it is sent. */
export const useMentions = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return {
    /**
     * Finds what a text mentions. Rejects when what can be mentioned is not known and cannot be loaded.
     *
     * @param ignored names that the text had before the person changed it, and that choose nothing.
     */
    find: async (text: string, ignored: readonly string[] = []): Promise<Mentionable[]> => {
      const names = listMentionedNames(text).filter((name) => !ignored.includes(name));
      if (names.length === 0) return [];
      const [groups, tools] = await Promise.all([
        queryClient.fetchQuery(trpc.groups.list.queryOptions({})),
        queryClient.fetchQuery(trpc.tools.list.queryOptions({})),
      ]);
      return findMentionables(names, toMentionables(groups.data, tools.data));
    },
    /** Loads again what can be mentioned when a choice was refused, as a name of it may be gone. */
    handleError: (error: unknown): void => {
      if (toProblem(error).code !== "invalid") return;
      for (const list of [trpc.groups.list, trpc.tools.list]) {
        queryClient.invalidateQueries({ queryKey: list.pathKey() }).catch(reportError);
      }
    },
  };
};

const toMentionables = (groups: readonly GroupSummary[], tools: readonly Tool[]): Mentionable[] => [
  ...groups.map(toGroup),
  ...tools.map(toTool),
];

const toGroup = ({ name, description, missing_tools: missing }: GroupSummary): Mentionable => ({
  kind: "group",
  name,
  description,
  isOffered: true,
  problem:
    missing.length === 0
      ? undefined
      : `The group “${name}” names tools that the server does not have any more: ${missing.join(", ")}.`,
});

const toTool = ({ name, description, reason }: Tool): Mentionable => ({
  kind: "tool",
  name,
  description,
  // Whoever mentions a tool has chosen it.
  isOffered: reason === undefined,
  problem: reason === undefined ? undefined : `The tool “${name}” is not offered. ${reason}`,
});
