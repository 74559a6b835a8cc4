import { appSecret, env } from "@/server/env";
import { createKeyCipher } from "./key-cipher";
import { createModelRegistry, type ModelRegistry } from "./model-registry";

const KEY = Symbol.for("parley.models");

/** Returns the process's registry of models. A property of `globalThis`, because routes are bundled separately. */
export const appModels = (): ModelRegistry => {
  const holder = globalThis as { [KEY]?: ModelRegistry };
  return (holder[KEY] ??= createAppModels());
};

const createAppModels = (): ModelRegistry => {
  const { "openai-compatible": openaiCompatible, ...others } = env().providers;
  return createModelRegistry({ ...others, openaiCompatible }, createKeyCipher(appSecret(env())));
};
