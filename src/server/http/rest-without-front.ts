import type { ApiRequest } from "@/server/api/request-body";
import { env } from "@/server/env";
import { shutdown } from "@/server/stream/shutdown";
import { createHostCheck } from "./allowed-hosts";
import { checkRequest } from "./check-request";
import { toRefusalAnswer } from "./refusal-answer";

type Handler = (request: ApiRequest) => Promise<Response>;

/** Answers a request of REST to a server that Next creates itself, after the checks of the HTTP front. */
export const serveRestWithoutFront = async (
  handle: Handler,
  request: Request,
): Promise<Response> => {
  const refusal = checkRequest(toCheckedRequest(request), {
    isAllowedHost: createHostCheck(env()),
    isDraining: () => shutdown.signal.aborted,
    // REST has answers of its own for an outage.
    isDatabaseReachable: () => true,
  });
  if (refusal) {
    const { body, ...init } = toRefusalAnswer(refusal, request.headers.get("accept"));
    return new Response(body, init);
  }
  const response = await handle(toApiRequest(request));
  if (request.method !== "HEAD") return response;
  // Next sends no body then, and leaves its source open.
  await response.body?.cancel();
  return new Response(null, response);
};

const toCheckedRequest = ({ method, url, headers }: Request) => {
  const { pathname, search } = new URL(url);
  return {
    method,
    url: `${pathname}${search}`,
    headers: Object.fromEntries(headers),
    rawHeaders: [...headers].flat(),
  };
};

const toApiRequest = ({ method, url, headers, body, signal }: Request): ApiRequest => ({
  method,
  url,
  headers,
  signal,
  // A body that is too long is not read further. Its end would end the connection before the refusal is sent.
  body: body?.values({ preventCancel: true }) ?? null,
});
