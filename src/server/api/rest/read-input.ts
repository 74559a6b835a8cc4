import { DomainError } from "@/contract/domain-error";
import type { Operation, StreamOperation } from "@/server/api/operation";
import { claimsJson, parseJsonBody, readBody } from "@/server/api/request-body";

/** A request's bytes, and all its fields as the operation's schema wants them, unchecked. */
export type RawInput = { body: Uint8Array; fields: unknown };

/**
 * Reads what a request says in its path, its query (GET) and its body (POST, PATCH).
 *
 * @throws {DomainError} `invalid`, `payload_too_large`.
 */
export const readInput = async (
  request: Request,
  operation: Operation,
  params: Record<string, string>,
): Promise<RawInput> => {
  if (operation.method === "GET") {
    return { body: new Uint8Array(), fields: queryInput(request, params) };
  }
  if (operation.method === "DELETE") return { body: new Uint8Array(), fields: params };
  if (!claimsJson(request.headers)) {
    throw new DomainError("invalid", "The body must be sent with content-type: application/json.");
  }
  const body = await readLimited(request, operation);
  return { body, fields: withParams(parseJsonBody(body), params) };
};

/** The fields of a request without a body. */
const queryInput = (request: Request, params: Record<string, string>): unknown => {
  const query: Record<string, unknown> = {};
  const given = new URL(request.url).searchParams;
  for (const key of given.keys()) {
    const values = given.getAll(key);
    query[key] = values.length === 1 ? values[0] : values;
  }
  return withParams(query, params);
};

/** Where a stream goes on: the query says it first, then what the browser remembers. */
export const streamInput = (
  request: Request,
  operation: StreamOperation,
  params: Record<string, string>,
): unknown => {
  const input = queryInput(request, params);
  const remembered = request.headers.get("last-event-id");
  if (remembered === null || !operation.resumable || !isRecord(input)) return input;
  return "after" in input ? input : { ...input, after: remembered };
};

const readLimited = async (request: Request, { oversized }: Operation): Promise<Uint8Array> => {
  try {
    return await readBody(request);
  } catch (error) {
    if (oversized === "invalid" && error instanceof DomainError) {
      throw new DomainError("invalid", error.message, { cause: error });
    }
    throw error;
  }
};

/** The path decides; a field of the same name in the body or query is one too many. */
const withParams = (fields: unknown, params: Record<string, string>): unknown => {
  if (!isRecord(fields)) {
    throw new DomainError("invalid", "The body must be a JSON object.", {
      errors: [{ pointer: "", message: "must be an object" }],
    });
  }
  const twice = Object.keys(params).filter((name) => Object.hasOwn(fields, name));
  if (twice.length > 0) {
    throw new DomainError("invalid", `Given in the path already: ${twice.join(", ")}.`, {
      errors: twice.map((name) => ({ pointer: `/${name}`, message: "is not a known field" })),
    });
  }
  return { ...fields, ...params };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
