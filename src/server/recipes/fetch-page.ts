import type { FetchedPage } from "@/recipes/recipe";
import { type AddressPolicy, createAddressPolicy } from "@/server/net/address-policy";
import { createGuardedFetch, FetchFailure } from "@/server/net/guarded-fetch";
import { type GuardedProxy, startGuardedProxy } from "@/server/net/guarded-proxy";
import { ToolFailure } from "@/server/tools/tool-result";
import { decodeText } from "@/server/tools/web/decode-text";
import { readBody } from "@/server/tools/web/read-body";

/** Most bytes of a body. */
const MAX_BODY_BYTES = 1024 * 1024;

export type FetchPage = (
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
) => Promise<FetchedPage>;

/** No setting opens private addresses for recipes. */
const createPolicy = (ownPort: number): AddressPolicy =>
  createAddressPolicy({ allow: [], ownPort, remedy: "" });

/** Starts what commands of one call reach the internet by, at a path. */
export type OpenProxy = (socket: string) => Promise<GuardedProxy>;

/** Creates what commands of recipes reach the internet with. */
export const createOpenProxy = (ownPort: number): OpenProxy => {
  const policy = createPolicy(ownPort);
  return (socket) => startGuardedProxy({ policy, socket });
};

/** Creates what functions of recipes reach the internet with. */
export const createFetchPage = (ownPort: number): FetchPage => {
  const policy = createPolicy(ownPort);
  const guardedFetch = createGuardedFetch({ policy });
  return async (url, headers, signal) => {
    try {
      const { response, url: finalUrl } = await guardedFetch(url, { headers, signal });
      const { bytes, isCut } = await readBody(response, MAX_BODY_BYTES);
      const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(
        response.headers.get("content-type") ?? "",
      )?.[1];
      return {
        url: finalUrl.href,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: decodeText(bytes, charset),
        isCut,
      };
    } catch (error) {
      if (error instanceof FetchFailure) throw new ToolFailure(error.message, { cause: error });
      throw error;
    }
  };
};
