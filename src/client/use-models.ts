import { useQuery } from "@tanstack/react-query";
import type { Model } from "@/contract/model";
import { useTRPC } from "./trpc";

const NO_MODELS: readonly Model[] = [];

/** The models that chats may use; empty while they load. */
export const useModels = (): readonly Model[] => useModelList().data ?? NO_MODELS;

/** The query of the models, for screens that show its state. */
export const useModelList = () => {
  const trpc = useTRPC();
  return useQuery({ ...trpc.models.list.queryOptions({}), select: selectModels });
};

const selectModels = ({ data }: { data: readonly Model[] }): readonly Model[] => data;
