import { DomainError } from "@/contract/domain-error";
import type { Operation, StreamOperation } from "@/server/api/operation";
import { isJsonRequest, parseJsonBody, readBody } from "@/server/api/request-body";

/** The body's bytes, and all fields of the request in the shape of the schema, not validated. */
export type RawInput = { body: Uint8Array; fields: unknown };

/**
 * Reads the input of an operation from path, query (GET) and body (POST, PUT, PATCH).
 *
 * @throws {DomainError} `invalid`, `payload_too_large`.
 */
export const readInput = async (
  request: Request,
  operation: Operation,
  params: Record<string, string>,
): Promise<RawInput> => {
  if (operation.method === "GET") {
    return { body: new Uint8Array(), fields: readQueryInput(request, params) };
  }
  if (operation.method === "DELETE") return { body: new Uint8Array(), fields: params };
  if (!isJsonRequest(request.headers)) {
    throw new DomainError("invalid", "The body must be sent with content-type: application/json.");
  }
  const body = await readOperationBody(request, operation);
  return { body, fields: mergeParams(parseJsonBody(body), params) };
};

/** Reads the fields of a request without a body. */
const readQueryInput = (request: Request, params: Record<string, string>): unknown => {
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
  request: Request,
  operation: StreamOperation,
  params: Record<string, string>,
): unknown => {
  const input = readQueryInput(request, params);
  const lastEventId = request.headers.get("last-event-id");
  if (lastEventId === null || !operation.isResumable || !isRecord(input)) return input;
  return "after" in input ? input : { ...input, after: lastEventId };
};

const readOperationBody = async (
  request: Request,
  { oversized }: Operation,
): Promise<Uint8Array> => {
  try {
    return await readBody(request);
  } catch (error) {
    if (oversized === "invalid" && error instanceof DomainError) {
      throw new DomainError("invalid", error.message, { cause: error });
    }
    throw error;
  }
};

/** Adds the path parameters to the fields, which must not repeat them. */
const mergeParams = (fields: unknown, params: Record<string, string>): unknown => {
  if (!isRecord(fields)) {
    throw new DomainError("invalid", "The body must be a JSON object.", {
      errors: [{ pointer: "", message: "must be an object" }],
    });
  }
  const duplicates = Object.keys(params).filter((name) => Object.hasOwn(fields, name));
  if (duplicates.length > 0) {
    throw new DomainError("invalid", `Given in the path already: ${duplicates.join(", ")}.`, {
      errors: duplicates.map((name) => ({ pointer: `/${name}`, message: "is not a known field" })),
    });
  }
  return { ...fields, ...params };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
