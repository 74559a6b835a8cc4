import type { Api } from "./create-api";

type ProcessApi = PromiseWithResolvers<Api> & { api: Api | undefined; hasFront: boolean };

const KEY = Symbol.for("parley.api");

/** On `globalThis`, because the program that serves, the start and the routes are bundled separately. */
const processApi = (): ProcessApi => {
  const holder = globalThis as { [KEY]?: ProcessApi };
  return (holder[KEY] ??= {
    ...Promise.withResolvers<Api>(),
    api: undefined,
    hasFront: false,
  });
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

/** Called by the program that serves, before Next starts the process. */
export const announceFront = (): void => {
  processApi().hasFront = true;
};

/** @returns false where Next creates the server itself, as `next start` does. */
export const hasFront = (): boolean => processApi().hasFront;
