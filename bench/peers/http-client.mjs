import { Agent, request as httpRequest } from "node:http";

const TIMEOUT_MS = 120_000;
const ERROR_EXCERPT = 300;

/** Servers of Node.js close an idle connection after 5 s, at which moment a client may send a request on it. */
const MAX_IDLE_MS = 3_000;

const agent = new Agent({
  keepAlive: true,
  maxSockets: Infinity,
  maxFreeSockets: 4096,
  timeout: MAX_IDLE_MS,
});

/** Calls back with each block of an event stream; blank lines separate them. */
const createBlockReader = (onBlock) => {
  let rest = "";
  return (text) => {
    rest += text;
    let from = 0;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n", from)) {
      if (end > from) onBlock(rest.slice(from, end));
      from = end + 2;
    }
    rest = rest.slice(from);
  };
};

const open = ({ base, method, path, headers, body, ...options }) =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const request = httpRequest(new URL(path, base), {
      agent,
      method,
      headers: {
        ...headers,
        ...(text !== undefined && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
        }),
      },
      ...options,
    });
    request.on("response", (response) => {
      response.setEncoding("utf8");
      resolve({ request, response });
    });
    request.on("error", reject);
    request.end(text);
  });

const readAll = async (response) => {
  let text = "";
  for await (const piece of response) text += piece;
  return text;
};

const requireSuccess = async ({ method, path }, response) => {
  if (response.statusCode < 400) return;
  const text = await readAll(response);
  const excerpt = text.slice(0, ERROR_EXCERPT);
  throw new Error(`${method} ${path}: ${response.statusCode} ${excerpt}`);
};

/** @returns the parsed body, undefined if there is none. */
export const requestJson = async (target) => {
  const { response } = await open({ timeout: TIMEOUT_MS, ...target });
  await requireSuccess(target, response);
  const text = await readAll(response);
  return text === "" ? undefined : JSON.parse(text);
};

/**
 * Reads an event stream to its end.
 *
 * @returns {Promise<number>} its length in bytes
 */
export const readEvents = async (target, onBlock) => {
  const { response } = await open({ timeout: TIMEOUT_MS, ...target });
  await requireSuccess(target, response);
  const read = createBlockReader(onBlock);
  let bytes = 0;
  for await (const text of response) {
    bytes += text.length;
    read(text);
  }
  return bytes;
};

/** Connections that are opened at the same time; all at once would exceed the server's backlog. */
const CONNECTING = 50;

/**
 * Opens event streams that are not read any further than to their first event.
 *
 * @param {number} count
 * @param {(index: number) => object} target of a stream
 * @returns a function that closes them
 */
export const openIdleStreams = async (count, target) => {
  const streams = [];
  for (let first = 0; first < count; first += CONNECTING) {
    const indexes = Array.from(
      { length: Math.min(CONNECTING, count - first) },
      (_, i) => first + i,
    );
    const opened = await Promise.all(
      indexes.map(async (index) => {
        const { promise, resolve, reject } = Promise.withResolvers();
        const onEnd = () => reject(new Error("the stream ended"));
        const stream = await watchEvents(target(index), resolve, onEnd);
        await promise;
        return stream;
      }),
    );
    streams.push(...opened);
  }
  return () => streams.forEach((stream) => stream.close());
};

/**
 * Opens an event stream.
 *
 * @param onBlock is called with each event
 * @param onEnd is called when the server ends it
 * @returns `close`, the number of bytes received, and a promise of its end
 */
export const watchEvents = async (target, onBlock, onEnd) => {
  const { request, response } = await open({ method: "GET", ...target });
  await requireSuccess({ method: "GET", ...target }, response);
  const read = createBlockReader(onBlock);
  let bytes = 0;
  response.on("data", (text) => {
    bytes += text.length;
    read(text);
  });
  response.on("error", onEnd);
  response.on("end", onEnd);
  const ended = new Promise((resolve) => response.once("end", resolve));
  return {
    bytes: () => bytes,
    ended,
    close: () => {
      response
        .off("error", onEnd)
        .off("end", onEnd)
        .on("error", () => undefined);
      request.destroy();
    },
  };
};
