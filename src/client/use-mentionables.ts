import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { GroupSummary } from "@/contract/group";
import type { Tool } from "@/contract/tool";
import type { Mentionable } from "@/lib/mentions";
import { useTRPC } from "./trpc";

/**
 * Loads the tools and groups that a chat can choose.
 *
 * @param isNeeded false while nothing is chosen or mentioned: most chats choose nothing.
 * @returns undefined until they are loaded. Groups come first, so that a name that is both means the group.
 */
export const useMentionables = (isNeeded: boolean): readonly Mentionable[] | undefined => {
  const trpc = useTRPC();
  const tools = useQuery({
    ...trpc.tools.list.queryOptions({}),
    enabled: isNeeded,
    select: ({ data }: { data: Tool[] }) => data,
  }).data;
  const groups = useQuery({
    ...trpc.groups.list.queryOptions({}),
    enabled: isNeeded,
    select: ({ data }: { data: GroupSummary[] }) => data,
  }).data;
  return useMemo(
    () => tools && groups && [...groups.map(toGroup), ...tools.map(toTool)],
    [tools, groups],
  );
};

const toGroup = ({ name, description, missing_tools: missing }: GroupSummary): Mentionable => ({
  ...{ kind: "group", name, description, isOffered: true },
  problem:
    missing.length === 0
      ? undefined
      : `The group “${name}” names tools that the server does not have any more: ${missing.join(", ")}.`,
});

const toTool = ({ name, description, offered, reason }: Tool): Mentionable => ({
  ...{ kind: "tool", name, description, isOffered: offered },
  problem: offered ? undefined : `The tool “${name}” is not offered. ${reason ?? ""}`.trimEnd(),
});
