import { useQuery } from "@tanstack/react-query";
import type { Model } from "@/contract/model";
import { useTRPC } from "./trpc";

const NONE: readonly Model[] = [];

/** The models that chats may use. */
export const useModels = (): readonly Model[] => useModelList().data ?? NONE;

/** The same, with whether they are there yet. */
export const useModelList = () => {
  const trpc = useTRPC();
  return useQuery({ ...trpc.models.list.queryOptions({}), select: modelsOf });
};

const modelsOf = ({ data }: { data: readonly Model[] }): readonly Model[] => data;
