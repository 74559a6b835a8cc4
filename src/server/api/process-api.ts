import type { Api } from "./create-api";

type ProcessApi = PromiseWithResolvers<Api> & { api: Api | undefined };

const KEY = Symbol.for("parley.api");

/** On `globalThis`, because the program that serves, the start and the routes are bundled separately. */
const processApi = (): ProcessApi => {
  const holder = globalThis as { [KEY]?: ProcessApi };
  return (holder[KEY] ??= { ...Promise.withResolvers<Api>(), api: undefined });
};

/** @returns the API of the process, made by the first call. */
export const takeProcessApi = (create: () => Api): Api => {
  const state = processApi();
  state.api ??= create();
  state.resolve(state.api);
  return state.api;
};

/** @returns the API for the program that serves, which listens a moment before the process has started. */
export const startedApi = (): Promise<Api> => processApi().promise;
