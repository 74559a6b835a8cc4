import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiRequest } from "@/server/api/request-body";

type Handler = (request: ApiRequest) => Promise<Response>;

const MOUNT = "/api/v1/";

/** Whether REST serves a target. Next redirects those with a slash at the end. */
export const isRest = (target: string): boolean =>
  target.startsWith(MOUNT) && !target.split("?", 1)[0]?.endsWith("/");

/** Answers a request by a handler of web responses. @throws the error of a body that breaks off. */
export const serveRest = async (
  handle: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const { status, headers, body } = await handle(toApiRequest(incoming, outgoing));
  outgoing.statusCode = status;
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  if (incoming.method === "HEAD") await body?.cancel();
  else if (body) await writeBody(body, outgoing);
  outgoing.end();
};

const toApiRequest = (incoming: IncomingMessage, outgoing: ServerResponse): ApiRequest => {
  const { method = "", url = "" } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort("the client is gone");
  });
  return {
    method,
    url: `http://localhost${url}`,
    headers,
    // A body that is too long is not read further, but the refusal still has to be sent.
    body: incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>,
    signal: gone.signal,
  };
};

/** Stops, and ends the source of the body, when the client is gone. */
const writeBody = async (
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> => {
  for await (const chunk of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing);
  }
};

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.on("drain", done).on("close", done);
  });
