import type { Database } from "@/server/db/database";
import { defaultModelOf, recentModels } from "@/server/db/model-reads";

/** How many tokens the chat's model takes, or the default one's where the chat names none. */
export const limitTokensOf = async (
  db: Database,
  { modelId }: { modelId: string | null },
): Promise<number | null> => {
  const models = await recentModels(db);
  const model = modelId === null ? defaultModelOf(models) : models.find(({ id }) => id === modelId);
  return model?.contextLimit ?? null;
};
