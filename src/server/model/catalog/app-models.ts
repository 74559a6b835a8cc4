import { appSecret, type Env } from "@/server/env";
import { createCallWords } from "@/server/model/xml/call-word";
import { createKeyCipher } from "./key-cipher";
import { createModelRegistry, type ModelRegistry } from "./model-registry";

/** Creates the registry of models with the keys of the environment. */
export const createAppModels = (settings: Env): ModelRegistry => {
  const secret = appSecret(settings);
  return createModelRegistry(settings.providers, createKeyCipher(secret), createCallWords(secret));
};
