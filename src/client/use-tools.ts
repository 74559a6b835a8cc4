import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "./trpc";

/** The query of the tools of the server. @param isNeeded false to load them later. */
export const useTools = ({ isNeeded = true } = {}) => {
  const trpc = useTRPC();
  return useQuery(
    trpc.tools.list.queryOptions({}, { enabled: isNeeded, select: ({ data }) => data }),
  );
};
