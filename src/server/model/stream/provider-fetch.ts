import { buffer as readBuffer } from "node:stream/consumers";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { ProviderName } from "@/contract/model";
import { PROVIDERS } from "@/contract/providers";
import { ModelCallError } from "@/server/model/classify-failure";
import { tryParseJson } from "@/lib/exact-json";
import { findPageTitle, readServerBody } from "@/server/model/server-text";
import { type EventReaderOptions, readEvents } from "./event-reader";
import { createJsonFetch, type EncodeBody } from "./json-fetch";

export type ProviderFetchOptions = {
  provider: ProviderName;
  /** How its events are joined and repaired. */
  events: EventReaderOptions;
  /** Converts a whole answer, which some servers send though they are asked for a stream, to data of events. */
  readWhole?: (body: unknown) => readonly string[] | undefined;
  encode?: EncodeBody;
};

/**
 * Creates the `fetch` of a provider's client. All of its requests ask for an event stream.
 *
 * @throws {ModelCallError} for a success that is no event stream: another try would give the same.
 */
export const createProviderFetch = (options: ProviderFetchOptions): typeof globalThis.fetch => {
  const fetch = createJsonFetch(options.encode);
  return async (target, init) => {
    const response = await fetch(target, init);
    const { body, headers, status, statusText } = response;
    const location = headers.get("location");
    if (status >= 300 && status < 400 && location !== null) {
      throw createAnswerError(options.provider, `a redirect to ${toShortUrl(location, target)}`);
    }
    if (!response.ok) return response;
    if (!body) throw createAnswerError(options.provider, `nothing (status ${status})`);
    const { start, isEventStream } = await readStart(body);
    if (isEventStream) {
      return new Response(readEvents(body, options.events, start), { headers, status, statusText });
    }
    const rest = await readBuffer(body as ReadableStream<Uint8Array> & NodeStream);
    const text = Buffer.concat([start, rest]).toString();
    return readWholeAnswer({ text, type: headers.get("content-type") ?? "" }, options);
  };
};

/** The fields of an event, or a comment, by which each stream begins. */
const FIRST_LINE = /^(?:(?:data|event|id|retry) ?)?:/;
/** Characters after which a first line that is none of these is known. */
const KNOWN_LENGTH = 7;

/** Reads an answer until it shows what it is: servers send pages and JSON by any type, and streams by that of JSON. */
const readStart = async (
  body: ReadableStream<Uint8Array>,
): Promise<{ start: Buffer; isEventStream: boolean }> => {
  const reader = body.getReader();
  let start = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (value) start = Buffer.concat([start, value]);
    const text = start.toString().trimStart();
    if (!done && text.length < KNOWN_LENGTH && !text.includes(":")) continue;
    reader.releaseLock();
    return { start, isEventStream: FIRST_LINE.test(text) };
  }
};

/** Reads an answer that is no event stream. What is neither a page, nor JSON or text, was cut, which the client finds out. */
const readWholeAnswer = (
  { text, type }: { text: string; type: string },
  { provider, readWhole }: ProviderFetchOptions,
): Response => {
  const title = findPageTitle(text) ?? (/\bhtml\b/i.test(type) ? "without a title" : undefined);
  if (title !== undefined) {
    throw createAnswerError(provider, `a web page (${title}) instead of an event stream`);
  }
  const events = readWhole?.(tryParseJson(text));
  if (events) {
    const headers = { "content-type": "text/event-stream" };
    return new Response(events.map((data) => `data: ${data}\n\n`).join(""), { headers });
  }
  // Some servers send a line of JSON for each event.
  const [line = ""] = text.trim().split("\n", 1);
  const isJson = (tryParseJson(text) ?? tryParseJson(line)) !== undefined;
  const said = readServerBody(text);
  if (said === undefined || !(isJson || /\btext\/plain\b/i.test(type))) return new Response(text);
  const what = isJson ? "JSON" : "text";
  throw createAnswerError(provider, `${what} instead of an event stream: ${said}`);
};

/** @returns a redirect's address without its query, which may hold secrets. */
const toShortUrl = (location: string, target: string | URL | Request): string => {
  const base = target instanceof Request ? target.url : target;
  if (!URL.canParse(location, base)) return "no address";
  const { origin, pathname } = new URL(location, base);
  return origin + pathname;
};

const createAnswerError = (provider: ProviderName, what: string): ModelCallError => {
  const { title } = PROVIDERS[provider];
  return new ModelCallError(
    "config",
    `${title} answered with ${what}. Check the address in Settings > Models: does it lack /v1?`,
    { isUnusable: true },
  );
};
