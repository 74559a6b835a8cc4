import type { Model } from "@/contract/model";

/** Finds the model that answers a chat: its own while that is offered, or else the default one. */
export const findModel = (models: readonly Model[], modelId: string | null): Model | undefined =>
  models.find(({ id }) => id === modelId) ?? models.find((model) => model.is_default);
