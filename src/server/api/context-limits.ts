import type { Database } from "@/server/db/database";
import { defaultModelOf, recentModels } from "@/server/db/model-reads";

/** Finds the context limit, in tokens, of the chat's model or of the default model. */
export const findContextLimit = async (
  db: Database,
  { modelId }: { modelId: string | null },
): Promise<number | null> => {
  const models = await recentModels(db);
  const model = modelId === null ? defaultModelOf(models) : models.find(({ id }) => id === modelId);
  return model?.contextLimit ?? null;
};
