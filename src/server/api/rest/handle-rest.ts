import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";
import type { AuthServices } from "@/server/auth/auth-services";
import type { ServerContext } from "@/server/context";
import {
  createIdempotency,
  type Idempotency,
  readIdempotencyKey,
  type StoredResponse,
} from "@/server/api/idempotency";
import {
  type ApiLog,
  getRequestId,
  PROBLEM_HEADERS,
  toFailureResponse,
} from "@/server/api/failure-response";
import { getOpenapiDocument } from "@/server/api/openapi";
import type { Operation, StreamOperation } from "@/server/api/operation";
import { createOperationContext, type OperationContext } from "@/server/api/operation-context";
import { toProblem } from "@/server/api/problem";
import { PRIVATE_HEADERS } from "@/server/api/response-headers";
import { shutdown } from "@/server/stream/shutdown";
import { matchRoute } from "./match-route";
import { readInput, readStreamInput } from "./read-input";
import { createSseResponse } from "./sse-response";

type RestDeps = Pick<ServerContext, "toolSources"> & { auth: AuthServices; log: ApiLog };

const MOUNT = "/api/v1";
const EVENT_STREAM = "text/event-stream";
const JSON_HEADERS = { "content-type": "application/json" };

/** Creates the handler of `/api/v1/…`. It never rejects: failures become problem documents. */
export const createRestHandler = (deps: RestDeps) => {
  const idempotency = createIdempotency(deps.auth.db);

  return async (request: Request): Promise<Response> => {
    const requestId = getRequestId(request.headers);
    const scope: RequestScope = { ...deps, idempotency, request, requestId, cookies: [] };
    const response = await routeRequest(scope).catch((error: unknown) =>
      toResponse(toFailureResponse(error, scope)),
    );
    response.headers.set("x-request-id", requestId);
    for (const cookie of scope.cookies) response.headers.append("set-cookie", cookie);
    return response;
  };
};

type RequestScope = RestDeps & {
  idempotency: Idempotency;
  request: Request;
  requestId: string;
  /** `set-cookie` headers of the session; empty until the request is authorized. */
  cookies: readonly string[];
};

const routeRequest = async (scope: RequestScope): Promise<Response> => {
  const { request } = scope;
  const path = new URL(request.url).pathname.slice(MOUNT.length);
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (path === "/openapi.json" && method === "GET") {
    return toResponse({ status: 200, headers: JSON_HEADERS, body: getOpenapiDocument() });
  }
  const match = matchRoute(method, path);
  switch (match.type) {
    case "unknown":
      throw new DomainError("not_found", `There is nothing at ${MOUNT}${path}.`);
    case "wrong-method":
      return toResponse(createMethodNotAllowed(scope, match.allowed));
    case "operation": {
      const ctx = await authorizeRequest(scope, match.operation);
      const response = await runIdempotent(scope, ctx, match);
      return (await followOutput(scope, ctx, { ...match, response })) ?? toResponse(response);
    }
    case "stream": {
      const { operation, params } = match;
      const ctx = await authorizeRequest(scope, operation);
      const input = readStreamInput(request, operation, params);
      return openStream(scope, ctx, { operation, input });
    }
  }
};

/**
 * Opens the stream of an operation's output if the client accepts an event stream.
 *
 * @returns undefined when the operation has no stream, failed, or the client wants JSON.
 */
const followOutput = async (
  scope: RequestScope,
  ctx: OperationContext,
  { operation, response }: { operation: Operation; response: StoredResponse },
): Promise<Response | undefined> => {
  const acceptsEvents = scope.request.headers.get("accept")?.includes(EVENT_STREAM);
  if (!operation.follow || !acceptsEvents || response.status >= 400 || !response.body) {
    return undefined;
  }
  return openStream(scope, ctx, {
    operation: operation.follow.stream,
    input: operation.follow.input(JSON.parse(response.body)),
    initialResponse: response,
  });
};

const authorizeRequest = async (
  scope: RequestScope,
  operation: Operation | StreamOperation,
): Promise<OperationContext> => {
  const { actor, cookies } = await scope.auth.authenticator.authorize(scope.request);
  scope.cookies = cookies;
  return createOperationContext(scope, actor, operation);
};

type MatchedOperation = { operation: Operation; params: Record<string, string> };

/** Runs an operation, or returns its stored response when the idempotency key is known. */
const runIdempotent = async (
  scope: RequestScope,
  ctx: OperationContext,
  { operation, params }: MatchedOperation,
): Promise<StoredResponse> => {
  const { request, idempotency } = scope;
  const { body, fields } = await readInput(request, operation, params);
  const key = operation.method === "POST" ? readIdempotencyKey(request.headers) : undefined;
  // Malformed ids always lead to a 404, so their requests are not stored.
  const isStorable = operation.hasSecret !== true && Object.values(params).every(isUuid);
  if (key === undefined || !isStorable)
    return (await runOperation(ctx, operation, fields)).response;

  const keyedRequest = {
    userId: ctx.actor.userId,
    route: toRouteKey(operation, params),
    key,
    body,
  };
  const stored = await idempotency.claim(keyedRequest);
  if (stored) return { ...stored, headers: { ...stored.headers, "idempotency-replayed": "true" } };
  const { response, chatId = params.chat_id ?? null } = await runOperation(
    ctx,
    operation,
    fields,
  ).catch((error: unknown): RanOperation => ({ response: toFailureResponse(error, scope) }));
  // A retry may succeed after a server error or a full queue, so these are not stored.
  if (response.status >= 500 || response.status === 429) await idempotency.release(keyedRequest);
  else await idempotency.store(keyedRequest, response, chatId);
  return response;
};

/** `chatId` is the chat that the response is about, unless the path names it. */
type RanOperation = { response: StoredResponse; chatId?: string | undefined };

const toRouteKey = ({ method, path }: Operation, params: Record<string, string>): string =>
  `${method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]?.toLowerCase() ?? "")}`;

const runOperation = async (
  ctx: OperationContext,
  operation: Operation,
  fields: unknown,
): Promise<RanOperation> => {
  const output = await operation.run(ctx, operation.input.parse(fields));
  const chatId = operation.chatId?.(output);
  const location = operation.location?.(output);
  const headers = location === undefined ? {} : { location: MOUNT + location };
  const { status } = operation;
  if (status === 202 || status === 204)
    return { response: { status, headers, body: null }, chatId };
  const body = JSON.stringify(output);
  return { response: { status, headers: { ...JSON_HEADERS, ...headers }, body }, chatId };
};

type StreamTarget = {
  operation: StreamOperation;
  input: unknown;
  /** Status and headers of the operation that created the streamed resource. */
  initialResponse?: Pick<StoredResponse, "status" | "headers">;
};

const openStream = async (
  scope: RequestScope,
  ctx: OperationContext,
  { operation, input, initialResponse }: StreamTarget,
): Promise<Response> => {
  const { request, requestId, log } = scope;
  const controller = new AbortController();
  const abort = (): void => {
    // A string as reason, because the default DOMException captures a stack for each stream.
    controller.abort("over");
  };
  const stopWatching = ctx.auth.watchCredential(ctx.actor.credential, abort);
  const stop = (): void => {
    abort();
    stopWatching();
    request.signal.removeEventListener("abort", abort);
    shutdown.signal.removeEventListener("abort", abort);
  };
  request.signal.addEventListener("abort", abort);
  shutdown.signal.addEventListener("abort", abort);
  try {
    if (request.signal.aborted || shutdown.signal.aborted) abort();
    const frames = await operation.open(ctx, operation.input.parse(input), controller.signal);
    return createSseResponse(frames as Parameters<typeof createSseResponse>[0], {
      ...(initialResponse && { status: initialResponse.status, headers: initialResponse.headers }),
      isDurable: (event) => operation.isDurable(event),
      stop,
      onError: (error) => {
        log.error({ err: error, requestId }, "a stream broke off");
      },
    });
  } catch (error) {
    stop();
    throw error;
  }
};

const createMethodNotAllowed = (
  { request, requestId }: RequestScope,
  allowed: string[],
): StoredResponse => {
  const error = new DomainError("invalid", `${request.method} is not possible here.`);
  const problem = { ...toProblem(error, requestId), title: "Method Not Allowed", status: 405 };
  return {
    status: 405,
    headers: { ...PROBLEM_HEADERS, allow: allowed.join(", ") },
    body: JSON.stringify(problem),
  };
};

const toResponse = ({ status, headers, body }: StoredResponse): Response =>
  new Response(body, {
    status,
    headers: { ...PRIVATE_HEADERS, ...headers },
  });
