import { appSecret, type Env } from "@/server/env";
import { createKeyCipher } from "./key-cipher";
import { createModelRegistry, type ModelRegistry } from "./model-registry";

/** Creates the registry of models with the keys of the environment. */
export const createAppModels = (settings: Env): ModelRegistry =>
  createModelRegistry(settings.providers, createKeyCipher(appSecret(settings)));
