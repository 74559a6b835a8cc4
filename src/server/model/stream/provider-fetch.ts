import type { ProviderName } from "@/contract/model";
import { PROVIDERS } from "@/contract/providers";
import { ModelCallError } from "@/server/model/classify-failure";
import { findPageTitle, readServerBody } from "@/server/model/server-text";
import { type EventReaderOptions, readEvents } from "./event-reader";
import { createJsonFetch, type EncodeBody } from "./json-fetch";
import { type Fields, parseFields } from "./repairs/fields";

export type ProviderFetchOptions = {
  provider: ProviderName;
  /** How its events are joined and repaired; passed on as they are by default. */
  events?: EventReaderOptions;
  /** Converts a whole answer, which some servers send though they are asked for a stream, to data of events. */
  readWhole?: (body: Fields) => readonly string[] | undefined;
  encode?: EncodeBody;
};

/**
 * Creates the `fetch` of a provider's client. All of its requests ask for an event stream.
 *
 * @throws {ModelCallError} for a success that is no event stream: another try would give the same.
 */
export const createProviderFetch = (options: ProviderFetchOptions): typeof globalThis.fetch => {
  const fetch = createJsonFetch(options.encode);
  return async (...request) => {
    const response = await fetch(...request);
    const { body, headers, status, statusText } = response;
    if (!response.ok) return response;
    const type = headers.get("content-type") ?? "";
    if (!body) throw createAnswerError(options.provider, `nothing (status ${status})`);
    if (/\bjson\b/i.test(type)) return readJson(await response.text(), options);
    if (/\bhtml\b/i.test(type)) {
      const title = findPageTitle(await response.text()) ?? "without a title";
      throw createAnswerError(options.provider, `a web page (${title}) instead of an event stream`);
    }
    if (!options.events) return response;
    return new Response(readEvents(body, options.events), { headers, status, statusText });
  };
};

const readJson = (text: string, { provider, readWhole }: ProviderFetchOptions): Response => {
  const fields = parseFields(text);
  // The client says what is wrong with what is no JSON.
  if (!fields) return new Response(text);
  const events = readWhole?.(fields);
  if (events) {
    const headers = { "content-type": "text/event-stream" };
    return new Response(events.map((data) => `data: ${data}\n\n`).join(""), { headers });
  }
  const said = readServerBody(text);
  const quote = said === undefined ? "" : `: ${said}`;
  throw createAnswerError(provider, `JSON instead of an event stream${quote}`);
};

const createAnswerError = (provider: ProviderName, what: string): ModelCallError => {
  const { title } = PROVIDERS[provider];
  return new ModelCallError(
    "config",
    `${title} answered with ${what}. Check the address in Settings > Models: does it lack /v1?`,
    { isUnusable: true },
  );
};
