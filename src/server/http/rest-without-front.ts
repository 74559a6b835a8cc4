import type { ApiRequest } from "@/server/api/request-body";
import { env } from "@/server/env";
import { shutdown } from "@/server/stream/shutdown";
import { createHostCheck } from "./allowed-hosts";
import { checkRequest, type Refusal } from "./check-request";
import { createCors } from "./cors";
import { toRefusalAnswer } from "./refusal-answer";

type Handler = (request: ApiRequest) => Promise<Response>;

/** Answers a request of REST to a server that Next creates itself, after the checks of the HTTP front. */
export const serveRestWithoutFront = async (
  handle: Handler,
  request: Request,
): Promise<Response> => {
  const checked = toCheckedRequest(request);
  const cors = createCors(env().corsOrigins)(checked);
  const refusal = checkRequest(checked, {
    isAllowedHost: createHostCheck(env()),
    isDraining: () => shutdown.signal.aborted,
    // REST has answers of its own for an outage.
    isDatabaseReachable: () => true,
  });
  const response = refusal
    ? toRefusal(refusal, request)
    : cors.isPreflight
      ? new Response(null, { status: 204 })
      : await serve(handle, request);
  for (const [name, value] of Object.entries(cors.headers)) response.headers.append(name, value);
  return response;
};

const toRefusal = (refusal: Refusal, { headers }: Request): Response => {
  const { body, ...init } = toRefusalAnswer(refusal, headers.get("accept"));
  return new Response(body, init);
};

const serve = async (handle: Handler, request: Request): Promise<Response> => {
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
