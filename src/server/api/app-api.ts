import { appAuth } from "@/server/auth/auth-services";
import { log } from "@/server/log";
import { type Api, createApi } from "./create-api";

const KEY = Symbol.for("parley.api");

/** The process's own. Kept on `globalThis`, as each route may be bundled apart. */
export const appApi = (): Api => {
  const holder = globalThis as { [KEY]?: Api };
  return (holder[KEY] ??= createApi(appAuth(), log()));
};
