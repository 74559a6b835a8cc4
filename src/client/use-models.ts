import { useQuery } from "@tanstack/react-query";
import type { Model } from "@/contract/model";
import { useTRPC } from "./trpc";

const NO_MODELS: readonly Model[] = [];

/**
 * The models that chats may use.
 *
 * @param rendered those that the server has rendered, shown while they load; none by default.
 */
export const useModels = (rendered: readonly Model[] = NO_MODELS): readonly Model[] =>
  useModelList().data ?? rendered;

/** The query of the models, for screens that show its state. */
export const useModelList = () => {
  const trpc = useTRPC();
  return useQuery({ ...trpc.models.list.queryOptions({}), select: selectModels });
};

const selectModels = ({ data }: { data: readonly Model[] }): readonly Model[] => data;
