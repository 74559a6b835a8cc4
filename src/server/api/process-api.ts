import { shareInProcess } from "@/server/share-in-process";
import type { Api } from "./create-api";

/** The start of the process creates the API; the program that serves and Next's routes use it. */
const state = shareInProcess("api", () => ({
  ...Promise.withResolvers<Api>(),
  api: undefined as Api | undefined,
  hasFront: false,
}));

/** Makes an API that of the process. */
export const setProcessApi = (api: Api): void => {
  state.api = api;
  state.resolve(api);
};

/** @returns the API of the process. @throws {Error} before it has started, when Next serves nothing yet. */
export const appApi = (): Api => {
  if (!state.api) throw new Error("the process has not been started");
  return state.api;
};

/** @returns undefined before the process has started. */
export const findApi = (): Api | undefined => state.api;

/** @returns the API for the program that serves, which listens a moment before the process has started. */
export const startedApi = (): Promise<Api> => state.promise;

/** Called by the program that serves, before Next starts the process. */
export const announceFront = (): void => {
  state.hasFront = true;
};

/** @returns false where Next creates the server itself, as `next start` does. */
export const hasFront = (): boolean => state.hasFront;
