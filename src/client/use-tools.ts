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

/** What "always" may cover of the calls of tools, by their names. */
export const useRuleOptions = (isNeeded: boolean) => {
  const trpc = useTRPC();
  return useQuery(trpc.tools.list.queryOptions({}, { enabled: isNeeded, select: toRuleOptions }))
    .data;
};

const toRuleOptions = ({ data }: ToolList) =>
  Object.fromEntries(
    data.map(({ name, approval_pattern: patternKey, asks_each_time: asksEachTime }) => [
      name,
      { patternKey, asksEachTime },
    ]),
  );

const toCardContents = ({ data }: ToolList): Record<string, CardContent> =>
  Object.fromEntries(data.flatMap(({ name, card }) => (card ? [[name, card]] : [])));
