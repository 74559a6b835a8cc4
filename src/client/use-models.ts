import { useQuery } from "@tanstack/react-query";
import type { Model } from "@/contract/model";
import { useTRPC } from "./trpc";

const NONE: readonly Model[] = [];

/** The models that chats may use. */
export const useModels = (): readonly Model[] => {
  const trpc = useTRPC();
  return useQuery(trpc.models.list.queryOptions({})).data?.data ?? NONE;
};
