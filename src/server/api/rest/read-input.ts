import { Readable } from "node:stream";
import { DomainError } from "@/contract/domain-error";
import { MAX_WAIT_SECONDS } from "@/contract/limits";
import { isRecord } from "@/lib/is-record";
import type { Operation, StreamOperation } from "@/server/api/operation";
import { readFileFields, readName } from "./read-file";
import { type ApiRequest, isJsonRequest, parseJsonBody, readBody } from "@/server/api/request-body";

/** The bytes that identify a request, and all of its fields in the shape of the schema, not validated. */
export type RawInput = { body: Uint8Array; fields: unknown };

/**
 * Reads the input of an operation from path, query (GET) and body (POST, PUT, PATCH).
 *
 * @throws {DomainError} `invalid`, `payload_too_large`.
 */
export const readInput = async (
  request: ApiRequest,
  operation: Operation,
  params: Record<string, string>,
): Promise<RawInput> => {
  if (operation.method === "GET") {
    return { body: new Uint8Array(), fields: readQueryInput(request, params) };
  }
  if (operation.method === "DELETE") return { body: new Uint8Array(), fields: params };
  if (operation.bodyType === "file") return readFileInput(request, operation, params);
  if (operation.bodyType === "stream") return readStreamedFile(request, params);
  if (!isJsonRequest(request.headers)) {
    throw new DomainError("invalid", "The body must be sent with content-type: application/json.");
  }
  const body = await readBody(request, operation);
  const given = { ...params, ...readIfMatch(request.headers, operation) };
  return { body, fields: mergeParams(parseJsonBody(body), given) };
};

/** @throws {DomainError} `invalid` for anything but one version in quotes, or `*`, which every version matches. */
const readIfMatch = (headers: Headers, { ifMatch }: Operation): Record<string, number> => {
  const tag = ifMatch === undefined ? null : headers.get("if-match");
  if (ifMatch === undefined || tag === null || tag === "*") return {};
  const [, version] = /^"(\d{1,10})"$/.exec(tag) ?? [];
  if (version !== undefined) return { [ifMatch]: Number(version) };
  throw new DomainError("invalid", 'If-Match must be the version in quotes, such as "3".');
};

const readFileInput = async (
  request: ApiRequest,
  operation: Operation,
  params: Record<string, string>,
): Promise<RawInput> => {
  const query = readQueryInput(request, params);
  const { file, ...fields } = await readFileFields(
    request.headers,
    await readBody(request, operation),
  );
  const rest = mergeParams(fields, query);
  return {
    body: Buffer.concat([Buffer.from(JSON.stringify(rest)), file]),
    fields: { ...rest, file },
  };
};

/** A body that is read while it arrives. */
type StreamedFile = { length: number | undefined; content: AsyncIterable<Uint8Array> };

/** Leaves the body to the operation, which stores it while it arrives: no key lets it be repeated. */
const readStreamedFile = (request: ApiRequest, params: Record<string, string>): RawInput => {
  const { headers } = request;
  if (/^multipart\//i.test(headers.get("content-type") ?? "")) {
    throw new DomainError("invalid", "The body must be the file itself, not a form.");
  }
  const name = readName(headers.get("content-disposition"));
  const length = Number(headers.get("content-length") ?? Number.NaN);
  const fields = {
    ...(name !== undefined && { name }),
    file: {
      length: Number.isSafeInteger(length) ? length : undefined,
      content: request.body ?? Readable.from([]),
    } satisfies StreamedFile,
  };
  return { body: new Uint8Array(), fields: mergeParams(fields, readQueryInput(request, params)) };
};

/** Reads the fields of a request without a body. */
export const readQueryInput = (
  request: ApiRequest,
  params: Record<string, string>,
): Record<string, unknown> => {
  const query: Record<string, unknown> = {};
  const searchParams = new URL(request.url).searchParams;
  for (const key of searchParams.keys()) {
    const values = searchParams.getAll(key);
    query[key] = values.length === 1 ? values[0] : values;
  }
  return mergeParams(query, params);
};

/** Reads the input of a stream; `Last-Event-ID` is its cursor unless the query has `after`. */
export const readStreamInput = (
  request: ApiRequest,
  operation: StreamOperation,
  params: Record<string, string>,
): unknown => {
  const input = readQueryInput(request, params);
  const lastEventId = request.headers.get("last-event-id");
  if (lastEventId === null || !operation.isResumable || !isRecord(input)) return input;
  return "after" in input ? input : { ...input, after: lastEventId };
};

/** Adds the fields of the path, or of the query, to those of the body, which must not repeat them. */
const mergeParams = (fields: unknown, params: Record<string, unknown>): Record<string, unknown> => {
  if (!isRecord(fields)) {
    throw new DomainError("invalid", "The body must be a JSON object.", {
      errors: [{ pointer: "", message: "must be an object" }],
    });
  }
  const duplicates = Object.keys(params).filter((name) => Object.hasOwn(fields, name));
  if (duplicates.length > 0) {
    throw new DomainError("invalid", `Given in the address already: ${duplicates.join(", ")}.`, {
      errors: duplicates.map((name) => ({ pointer: `/${name}`, message: "is not a known field" })),
    });
  }
  return { ...fields, ...params };
};

/**
 * Reads how long the client prefers to wait for the answer (RFC 7240), in seconds.
 *
 * @returns 0 without the preference.
 * @throws {DomainError} `invalid`.
 */
export const readPreferredWait = (headers: Headers): number => {
  const preferences = (headers.get("prefer") ?? "").split(",");
  const wait = preferences
    .map((each) => each.trim())
    .find((each) => /^wait\s*(?:=|;|$)/i.test(each));
  if (wait === undefined) return 0;
  const [, bare, quoted] = /^wait\s*=\s*(?:(\d{1,4})|"(\d{1,4})")\s*(?:;|$)/i.exec(wait) ?? [];
  const seconds = Number(bare ?? quoted ?? Number.NaN);
  if (seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new DomainError(
    "invalid",
    `Prefer must have wait=N with a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}.`,
  );
};

/**
 * Reads the idempotency key from the headers.
 *
 * @returns undefined when the request has no key.
 * @throws {DomainError} `invalid`.
 */
export const readIdempotencyKey = (headers: Headers): string | undefined => {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new DomainError("invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
};
