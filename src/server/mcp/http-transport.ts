import { waitAtMost } from "@/lib/wait-at-most";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createAddressPolicy } from "@/server/net/address-policy";
import { createGuardedRequest, type GuardedRequest } from "@/server/net/guarded-fetch";
import { createEventLimit } from "./event-limit";
import { loadSdk } from "./load-sdk";
import { createStreamPace } from "./stream-pace";
import { MAX_MESSAGE_BYTES, type ServerTransport, TOO_LONG } from "./server-transport";

type HttpOptions = {
  url: string;
  headers: Record<string, string>;
  allowPrivate: boolean;
  /** The port of this server. */
  ownPort: number;
};

/** The policy for the address of a server. */
export const createServerPolicy = ({
  allowPrivate,
  ownPort,
}: Omit<HttpOptions, "url" | "headers">) =>
  createAddressPolicy({
    allow: [],
    ownPort,
    allowPrivate,
    remedy: allowPrivate
      ? "No setting of an MCP server allows it."
      : "Allow private addresses for this server if this is intended.",
  });

/** Speaks with a server by streamable HTTP. Each connection goes to an address that its record allows. */
export const createHttpTransport = (options: HttpOptions): ServerTransport => {
  let problem: string | undefined;
  const { request, close } = createGuardedRequest({
    policy: createServerPolicy(options),
    // A call has a time limit of its own, and a stream of events may be silent for hours.
    agent: { headersTimeout: 0, bodyTimeout: 0 },
  });
  const transport = new (loadSdk().StreamableHTTPClientTransport)(new URL(options.url), {
    requestInit: { headers: options.headers },
    fetch: createLimitedFetch(request, () => end(TOO_LONG)),
    reconnectionScheduler: createStreamPace(() => end(STREAM_LOST)),
    reconnectionOptions: {
      // The pace is our own, and ends the connection before the SDK gives the stream up.
      maxRetries: Infinity,
      reconnectionDelayGrowFactor: 1,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
    },
  });
  const end = (reason: string): void => {
    problem ??= reason;
    transport.close().catch(() => undefined);
  };
  const closeTransport = transport.close.bind(transport);
  let closing: Promise<void> | undefined;
  transport.close = () =>
    (closing ??= (async () => {
      if (problem === undefined) await endSession(transport);
      await closeTransport();
      await close();
    })());
  return { transport, findProblem: () => problem, describeCircumstances: () => "" };
};

/** Tells a server that its session is over, which it would otherwise keep. Does not reject, and does not wait long. */
const endSession = async (
  transport: Pick<StreamableHTTPClientTransport, "terminateSession">,
): Promise<void> => {
  const ended = transport.terminateSession().catch(() => undefined);
  await waitAtMost(ended, END_SESSION_MS);
};

/** Longest wait for a server's response to the end of its session. */
const END_SESSION_MS = 1_000;

const STREAM_LOST = "The server does not open its stream of events any more.";

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Refuses redirects, and ends bodies of which one message is too long. */
const createLimitedFetch =
  (request: GuardedRequest, onTooLong: () => void) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await request(url, {
      ...(init.method !== undefined && { method: init.method }),
      ...(typeof init.body === "string" && { body: init.body }),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal && { signal: init.signal }),
    });
    const { status, statusText, body } = response;
    const headers = new Headers([...response.headers]);
    if (body === null || WITHOUT_BODY.has(status)) {
      return new Response(null, { status, statusText, headers });
    }
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const limited = (body as ReadableStream<Uint8Array>).pipeThrough(
      createLimit(isStream, onTooLong),
    );
    return new Response(limited, { status, statusText, headers });
  };

/** Counts what one message may have: a whole body, or an event of a stream. */
const createLimit = (isStream: boolean, onTooLong: () => void) => {
  const isWithin = isStream
    ? createEventLimit(MAX_MESSAGE_BYTES)
    : createBodyLimit(MAX_MESSAGE_BYTES);
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      if (isWithin(chunk)) return controller.enqueue(chunk);
      onTooLong();
      controller.error(new Error(TOO_LONG));
    },
  });
};

const createBodyLimit = (maxBytes: number) => {
  let length = 0;
  return (chunk: Uint8Array): boolean => (length += chunk.length) <= maxBytes;
};
