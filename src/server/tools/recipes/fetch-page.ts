import type { FetchedPage } from "@/recipes/recipe";
import { createAddressPolicy } from "@/server/net/address-policy";
import { createGuardedFetch, FetchFailure } from "@/server/net/guarded-fetch";
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

/** Creates what recipes reach the internet with: no setting opens private addresses for them. */
export const createFetchPage = (ownPort: number): FetchPage => {
  const policy = createAddressPolicy({ allow: [], ownPort, remedy: "" });
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
