import { pathToFileURL } from "node:url";

/** Loads a bundle of a recipe. No bundler looks for it, as it is made while the server runs. */
export const importModule = (file: string): Promise<{ default?: unknown }> => {
  const url = pathToFileURL(file).href;
  // eslint-disable-next-line no-restricted-syntax -- the module does not exist when the server is built
  return import(/* turbopackIgnore: true */ /* @vite-ignore */ url) as Promise<{
    default?: unknown;
  }>;
};
