import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline, Readable, type Transform } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { setImmediate } from "node:timers/promises";
import { constants, createBrotliDecompress, createUnzip } from "node:zlib";
import { fetch as fetchByUndici, type RequestInit as UndiciInit } from "undici";
import { findDispatcher, findProxyAgent } from "@/server/net/outbound-proxy";
import { activityListeners } from "./activity";
import { ModelCallError } from "@/server/model/classify-failure";

/** Encodes a body in pieces, which are sent one after the other. */
export type EncodeBody = (body: string) => readonly Uint8Array[];

const encodeWhole: EncodeBody = (body) => [Buffer.from(body)];

/**
 * Creates a `fetch` for the requests of providers' clients. That of Node.js copies a body several times and reads it as a
 * stream, which takes 1.2 ms of CPU for 300 KB and 0.3 ms for a short one, more than all else that a request needs.
 * Whatever is no text in a `POST`, and redirects that keep it, are left to that of Node.js. No compression is asked for, and bodies are
 * limited.
 */
export const createJsonFetch =
  (encode: EncodeBody = encodeWhole): typeof globalThis.fetch =>
  async (target, init = {}) => {
    const { method, body, signal } = init;
    if (typeof target !== "string" || method !== "POST" || typeof body !== "string") {
      return fetchByProxy(target, init);
    }
    const parts = encode(body);
    signal?.throwIfAborted();
    const message = await send(target, init, parts).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new TypeError("fetch failed", { cause: toCause(error) });
    });
    const { statusCode = 0, headers } = message;
    if (REDIRECTS.includes(statusCode) && headers.location !== undefined) {
      message.destroy();
      return limitBody(await fetchByProxy(target, { ...init, body: Buffer.concat(parts) }), signal);
    }
    return toResponse(message, signal);
  };

/** The `fetch` of Node.js, and of `undici` where the network has a proxy, which that of Node.js does not know. */
const fetchByProxy: typeof globalThis.fetch = async (target, init) => {
  const url = target instanceof Request ? target.url : String(target);
  const { dispatcher } = findDispatcher(url);
  if (!dispatcher) return fetch(target, init);
  return (await fetchByUndici(url, { ...init, dispatcher } as UndiciInit)) as unknown as Response;
};

/** In the words of the `fetch` of Node.js, by which failures are classified. */
const toCause = (error: unknown): unknown =>
  error instanceof Error && error.message === "socket hang up"
    ? new Error("other side closed", { cause: error })
    : error;

/** Those that keep the method: by the others, a `GET` would follow, which no provider answers. */
const REDIRECTS = [307, 308];

const send = (
  target: string,
  { headers, signal }: RequestInit,
  parts: readonly Uint8Array[],
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const isSecure = /^https:/i.test(target);
    let message: IncomingMessage | undefined;
    const request = (isSecure ? requestHttps : requestHttp)(
      target,
      {
        method: "POST",
        agent: findProxyAgent(new URL(target)),
        headers: {
          accept: "*/*",
          "accept-encoding": "identity",
          ...Object.fromEntries(new Headers(headers)),
          "content-length": parts.reduce((length, part) => length + part.byteLength, 0),
        },
      },
      (response) => {
        message = response;
        resolve(response);
      },
    );
    request.on("error", reject);
    // The option `signal` destroys the socket with an error, which is uncaught once the whole answer has arrived.
    const abort = (): void => void (message ?? request).destroy();
    signal?.addEventListener("abort", abort);
    request.once("close", () => signal?.removeEventListener("abort", abort));
    limitConnecting(request, isSecure ? "secureConnect" : "connect");
    request.cork();
    for (const part of parts) request.write(part);
    request.end();
  });

const CONNECT_TIMEOUT_MS = 10_000;

/** A host that drops packets would otherwise be noticed much later. */
const limitConnecting = (request: ClientRequest, connected: string): void => {
  request.once("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      const error = new Error("no connection within 10 seconds");
      request.destroy(Object.assign(error, { code: "ETIMEDOUT" }));
    }, CONNECT_TIMEOUT_MS);
    const stop = (): void => clearTimeout(timer);
    socket.once(connected, stop).once("close", stop);
  });
};

/** Statuses of answers that have no body. */
const EMPTY = [204, 205, 304];

const toResponse = (message: IncomingMessage, signal: AbortSignal | null | undefined): Response => {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = message;
  const { "content-encoding": encoding } = message.headers;
  const decoder = encoding === undefined ? undefined : createDecoder(encoding);
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const isEmpty = EMPTY.includes(status);
  if (isEmpty) message.resume();
  if (decoder) for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  // An error of either one destroys both, and is read from the last.
  const source = decoder ? pipeline(message, decoder, () => undefined) : message;
  const body = isEmpty ? null : toStream(source, { status, signal });
  return new Response(body, { status, statusText, headers });
};

/** Some proxies compress answers though nobody has asked for it. @returns undefined for what is not compressed. */
const createDecoder = (encoding: string): Transform | undefined => {
  switch (encoding.trim().toLowerCase()) {
    case "br":
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case "gzip":
    case "x-gzip":
    case "deflate":
      // An answer that is cut shows that by what it lacks.
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
    default:
      return undefined;
  }
};

const limitBody = (response: Response, signal: AbortSignal | null | undefined): Response => {
  const { status, statusText, headers } = response;
  const body =
    response.body && toStream(Readable.fromWeb(response.body as NodeStream), { status, signal });
  return new Response(body, { status, statusText, headers });
};

type Body = { status: number; signal: AbortSignal | null | undefined };

const toStream = (source: Readable, { status, signal }: Body): ReadableStream<Uint8Array> => {
  const slices = readSlices(source, status);
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await slices.next().catch((error: unknown) => {
        if (signal?.aborted) throw signal.reason;
        throw error instanceof ModelCallError
          ? error
          : new TypeError("terminated", { cause: error });
      });
      if (done) return controller.close();
      if (signal) activityListeners.get(signal)?.();
      controller.enqueue(value);
    },
    cancel: () => void source.destroy(),
  });
};

/** Bytes of one answer that are passed on in one iteration of the event loop. */
const SLICE_BYTES = 16_384;

/**
 * Joins what has arrived in one iteration of the event loop, as Node.js gives each chunk of an answer by itself, and
 * passes on a part of it, so that one answer does not hold up the others.
 */
async function* readSlices(source: Readable, status: number): AsyncGenerator<Uint8Array, void> {
  const mayPass = createBodyLimit({ ok: status < 400 });
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let start = 0; start < bytes.byteLength; start += SLICE_BYTES) {
      const slice = bytes.subarray(start, start + SLICE_BYTES);
      if (!mayPass(slice)) return;
      yield slice;
      await setImmediate();
    }
  }
}

const MEGABYTE = 1024 * 1024;

/** Of the text of an error, in megabytes; some servers repeat the request in it. What follows is left out. */
const MAX_ERROR_MB = 1;
/** Of one event of an answer, in megabytes; the last one of some providers repeats the whole answer. */
const MAX_EVENT_MB = 32;

/** The end of an event is looked for only after this many megabytes, as the search would cost time in each chunk. */
const UNSEARCHED_MB = 1;
/** An event ends with an empty line. One that the network has cut is missed, and the next one counts. */
const EVENT_ENDS = ["\n\n", "\r\n\r\n", "\r\r"];

/**
 * Creates the limit of one body, which bounds what the provider's client holds of it in memory.
 *
 * @returns a function that returns whether bytes may be passed on, as the body ends before them otherwise. It throws a
 *   `ModelCallError` when an event is too large; another try would be as large.
 */
const createBodyLimit = ({ ok }: { ok: boolean }) => {
  let held = 0;
  return (bytes: Buffer): boolean => {
    held += bytes.byteLength;
    if (!ok) return held <= MAX_ERROR_MB * MEGABYTE;
    if (held <= UNSEARCHED_MB * MEGABYTE) return true;
    const end = Math.max(...EVENT_ENDS.map((text) => bytes.lastIndexOf(text)));
    if (end !== -1) held = bytes.byteLength - end;
    if (held <= MAX_EVENT_MB * MEGABYTE) return true;
    throw new ModelCallError(
      "generic",
      `The provider is sending more than ${MAX_EVENT_MB} MB in one event: the answer was ended there.`,
    );
  };
};
