import { useQuery } from "@tanstack/react-query";
import type { CardContent, ToolList } from "@/contract/tool";
import { useTRPC } from "./trpc";

/** The query of the tools of the server. @param isNeeded false to load them later. */
export const useTools = ({ isNeeded = true } = {}) => {
  const trpc = useTRPC();
  return useQuery(
    trpc.tools.list.queryOptions({}, { enabled: isNeeded, select: ({ data }) => data }),
  );
};

/** What the generic card shows of the calls of tools, by their names. */
export const useCardContents = (isNeeded: boolean) => {
  const trpc = useTRPC();
  return useQuery(trpc.tools.list.queryOptions({}, { enabled: isNeeded, select: toCardContents }))
    .data;
};

/** The texts of calls that an approval may cover by a pattern, by the names of their tools. */
export const usePatternKeys = (isNeeded: boolean) => {
  const trpc = useTRPC();
  return useQuery(trpc.tools.list.queryOptions({}, { enabled: isNeeded, select: toPatternKeys }))
    .data;
};

const toPatternKeys = ({ data }: ToolList): Record<string, string> =>
  Object.fromEntries(
    data.flatMap(({ name, approval_pattern: key }) => (key === undefined ? [] : [[name, key]])),
  );

const toCardContents = ({ data }: ToolList): Record<string, CardContent> =>
  Object.fromEntries(data.flatMap(({ name, card }) => (card ? [[name, card]] : [])));
