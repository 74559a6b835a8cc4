import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { DomainError } from "@/contract/domain-error";
import { parseExactJson } from "@/lib/exact-json";
import { MAX_BATCH_CALLS, MAX_BODY_BYTES } from "@/contract/limits";
import { type ApiLog, countConflict, toFailureResponse } from "./failure-response";
import { createIdempotency } from "@/server/chat/idempotency";
import { createOperationContext, type SharedDeps } from "./operation-context";
import type { Operation } from "./operation";
import { operations } from "./operations/all-operations";
import { toDomainError } from "./problem";
import { getRequestId, readBody } from "./request-body";
import { PRIVATE_HEADERS } from "./response-headers";
import { appRouter } from "./router";
import { toProcedureDomainError, toTrpcError, type TrpcContext } from "./trpc";

const TRPC_MOUNT = "/api/trpc";

type TrpcDeps = SharedDeps & { log: ApiLog };

/** Creates the handler of `/api/trpc/…`. */
export const createTrpcHandler = ({ log, ...deps }: TrpcDeps) => {
  const idempotency = createIdempotency(deps.auth.db);
  return async (request: Request): Promise<Response> => {
    const requestId = getRequestId(request.headers);

    const createContext = async (): Promise<TrpcContext> => {
      try {
        const { actor, cookies } = await deps.auth.authenticator.authorize(request);
        return {
          createOperationContext: (operation) =>
            createOperationContext(deps, { actor, signal: request.signal }, operation),
          requestId,
          cookies,
          keys: readIdempotencyKeys(request.headers),
          idempotency,
        };
      } catch (error) {
        throw toTrpcError(toDomainError(error));
      }
    };

    const body = await limitBody(request).catch(toDomainError);
    if (body instanceof DomainError) {
      const { status, headers, body: text } = toFailureResponse(body, { request, requestId, log });
      return new Response(text, { status, headers: { ...headers, "x-request-id": requestId } });
    }
    return fetchRequestHandler({
      endpoint: TRPC_MOUNT,
      req: body,
      router: appRouter,
      createContext,
      maxBatchSize: MAX_BATCH_CALLS,
      responseMeta: ({ ctx, errors }) => {
        const headers = new Headers({ ...PRIVATE_HEADERS, "x-request-id": requestId });
        for (const cookie of ctx?.cookies ?? []) headers.append("set-cookie", cookie);
        const delays = errors.map((error) => toProcedureDomainError(error).retryAfterSeconds ?? 0);
        const longestDelay = Math.max(0, ...delays);
        if (longestDelay > 0) headers.set("retry-after", String(longestDelay));
        return { headers };
      },
      onError: ({ error, path }) => {
        const failure = toProcedureDomainError(error);
        countConflict(failure);
        if (failure.code !== "internal") return;
        log.error({ err: failure.cause, requestId, path }, "a procedure failed");
      },
    });
  };
};

/** @throws {DomainError} `invalid`. */
const readIdempotencyKeys = (headers: Headers): string[] => {
  const keys = (headers.get("idempotency-key") ?? "").split(",");
  // A longer one would not fit into the index of the keys.
  if (keys.every((key) => /^[\x21-\x7e]{0,255}$/.test(key))) return keys;
  throw new DomainError(
    "invalid",
    "Each Idempotency-Key must be at most 255 visible ASCII characters.",
  );
};

const MAX_BODY_BYTES_OF: ReadonlyMap<string, number | undefined> = new Map(
  operations.map((operation: Operation) => [operation.name, operation.maxBodyBytes]),
);
const getMaxBodyBytes = (name: string): number => MAX_BODY_BYTES_OF.get(name) ?? MAX_BODY_BYTES;

/**
 * Reads the body within its size limit and returns the request with it.
 *
 * @throws {DomainError} `payload_too_large`.
 */
const limitBody = async (request: Request): Promise<Request> => {
  if (!request.body) return request;
  const names = new URL(request.url).pathname.slice(TRPC_MOUNT.length + 1).split(",");
  const body = await readBody(request, {
    maxBodyBytes: Math.max(...names.map(getMaxBodyBytes)),
  });
  const { url, method, headers, signal } = request;
  const limited = new Request(url, { method, headers, signal, body: new Uint8Array(body) });
  // Its `json` would round numbers of many digits.
  limited.json = async () => parseExactJson(await limited.text());
  return limited;
};
