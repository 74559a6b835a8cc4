import { DomainError } from "@/contract/domain-error";
import { parseExactJson } from "@/lib/exact-json";
import { type ApiLog, PROBLEM_HEADERS, toFailureResponse } from "@/server/api/failure-response";
import { holdRequest } from "@/server/api/long-polls";
import { getTaggedOpenapiDocument } from "@/server/api/openapi";
import {
  type DownloadOperation,
  findChatId,
  type Operation,
  type StreamOperation,
} from "@/server/api/operation";
import {
  createOperationContext,
  type OperationContext,
  type SharedDeps,
} from "@/server/api/operation-context";
import { toProblem } from "@/server/api/problem";
import { type ApiRequest, getRequestId } from "@/server/api/request-body";
import { PRIVATE_HEADERS } from "@/server/api/response-headers";
import { sendTaggedText } from "@/server/api/tagged-text";
import { waitForChat } from "@/server/api/wait-for-chat";
import { createIdempotency, type Idempotency } from "@/server/chat/idempotency";
import type { Actor } from "@/server/context";
import type { StoredResponse } from "@/server/db/chats/rows";
import { createNewChatSubscription } from "@/server/stream/chat-subscription";
import { matchRoute, OPENAPI_PATH, REST_MOUNT } from "./match-route";
import { openStream, type StreamTarget } from "./open-stream";
import {
  readIdempotencyKey,
  readInput,
  readPreferredWait,
  readQueryInput,
  readStreamInput,
} from "./read-input";

type RestDeps = SharedDeps & {
  log: ApiLog;
  /** Whether the document of the API is for everybody. */
  publicDocs: boolean;
};

const EVENT_STREAM = "text/event-stream";
const JSON_HEADERS = { "content-type": "application/json" };

/** Creates the handler of `/api/v1/…`. It never rejects: failures become problem documents. */
export const createRestHandler = (deps: RestDeps) => {
  const idempotency = createIdempotency(deps.auth.db);

  return async (request: ApiRequest): Promise<Response> => {
    const requestId = getRequestId(request.headers);
    const { log } = deps;
    const scope: RequestScope = { deps, log, idempotency, request, requestId, cookies: [] };
    const response = await routeRequest(scope).catch((error: unknown) =>
      toResponse(toFailureResponse(error, scope)),
    );
    response.headers.set("x-request-id", requestId);
    for (const cookie of scope.cookies) response.headers.append("set-cookie", cookie);
    return response;
  };
};

type RequestScope = {
  deps: RestDeps;
  log: ApiLog;
  idempotency: Idempotency;
  request: ApiRequest;
  requestId: string;
  /** `set-cookie` headers of the session; empty until the request is authorized. */
  cookies: readonly string[];
};

const routeRequest = async (scope: RequestScope): Promise<Response> => {
  const { request } = scope;
  const path = new URL(request.url).pathname.slice(REST_MOUNT.length);
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (path === OPENAPI_PATH && method === "GET") {
    return toResponse(await describeApi(scope));
  }
  const match = matchRoute(method, path);
  switch (match.type) {
    case "unknown":
      throw new DomainError("not_found", `There is nothing at ${REST_MOUNT}${path}.`);
    case "wrong-method":
      return toResponse(createMethodNotAllowed(scope, match.allowed));
    case "operation": {
      const ctx = await authorizeRequest(scope, match.operation);
      const { follow } = match.operation;
      return follow && request.headers.get("accept")?.includes(EVENT_STREAM)
        ? openFollowed(scope, ctx, { ...match, follow })
        : toResponse(await runPreferred(scope, ctx, match));
    }
    case "download": {
      const { operation, params } = match;
      const ctx = await authorizeRequest(scope, operation);
      const input = operation.input.parse(readQueryInput(request, params));
      return operation.respond(ctx, input, scope);
    }
    case "stream": {
      const { operation, params } = match;
      const ctx = await authorizeRequest(scope, operation);
      return openStream(scope, ctx, () => ({
        operation,
        input: readStreamInput(request, operation, params),
      }));
    }
  }
};

const describeApi = async (scope: RequestScope): Promise<StoredResponse> => {
  const { deps, request } = scope;
  if (!deps.publicDocs) await authorize(scope);
  const { headers } = request;
  return sendTaggedText(getTaggedOpenapiDocument(), { headers, type: "application/json" });
};

type FollowedOperation = MatchedOperation & { follow: NonNullable<Operation["follow"]> };

/** Opens the stream of the output of an operation. */
const openFollowed = async (
  scope: RequestScope,
  ctx: OperationContext,
  { follow, ...match }: FollowedOperation,
): Promise<Response> => {
  const newChat = createNewChatSubscription(ctx);
  const following = { ...ctx, newChat };
  const run = async (): Promise<StreamTarget> => {
    await ctx.notifications.ready();
    const response = await runIdempotent(scope, following, match);
    const input = follow.input(JSON.parse(response.body ?? "null"), match.params);
    return { operation: follow.stream, input, initialResponse: response };
  };
  // The stream has taken the subscription by then, unless it is of another chat or was not opened.
  return openStream(scope, following, run).finally(newChat.close);
};

const authorizeRequest = async (
  scope: RequestScope,
  operation: Operation | DownloadOperation | StreamOperation,
): Promise<OperationContext> => {
  const actor = await authorize(scope);
  const { signal } = scope.request;
  return createOperationContext(scope.deps, { actor, signal }, operation);
};

const authorize = async (scope: RequestScope): Promise<Actor> => {
  const { actor, cookies } = await scope.deps.auth.authenticator.authorize(scope.request);
  scope.cookies = cookies;
  return actor;
};

/** Runs an operation, and answers when its chat has nothing more to do by itself if the client prefers to wait for that. */
const runPreferred = async (
  scope: RequestScope,
  ctx: OperationContext,
  match: MatchedOperation,
): Promise<StoredResponse> => {
  const { wait } = match.operation;
  const seconds = wait ? readPreferredWait(scope.request.headers) : 0;
  if (!wait || seconds === 0) return runIdempotent(scope, ctx, match);
  return holdRequest(ctx, seconds, async (signal) => {
    const { headers, body, ...response } = await runIdempotent(scope, ctx, match);
    const output = parseExactJson(body ?? "null");
    const chat = await waitForChat(ctx, wait.chatId(output, match.params), signal);
    const waited = wait.withChat(output, chat);
    return {
      ...response,
      headers: {
        ...headers,
        ...toEtag(match.operation, waited),
        "preference-applied": "wait",
      },
      body: JSON.stringify(waited),
    };
  });
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
  if (key === undefined || operation.ignoresIdempotencyKey) {
    return (await runOperation(ctx, operation, fields)).response;
  }
  if (request.signal.aborted) throw createAbandoned();
  const route = toRouteKey(operation, params);
  const keyed = { userId: ctx.actor.userId, route, key, body };
  return idempotency.runOnce(ctx, keyed, async (given) => {
    const { response, input, output } = await runOperation(given, operation, fields);
    return { response, chatId: findChatId(operation, input, output) };
  });
};

/** The client repeats it under its key and may get a refusal, after which it must not be carried out. */
const createAbandoned = (): DomainError =>
  new DomainError("conflict", "The client gave up before the request was carried out.", {
    retryAfterSeconds: 1,
  });

const toRouteKey = ({ method, path }: Operation, params: Record<string, string>): string =>
  `${method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]?.toLowerCase() ?? "")}`;

const runOperation = async (
  ctx: OperationContext,
  operation: Operation,
  fields: unknown,
): Promise<{ response: StoredResponse; input: unknown; output: unknown }> => {
  const input = operation.input.parse(fields);
  const output = await operation.run(ctx, input);
  const location = operation.location?.(output);
  const headers = {
    ...(location !== undefined && { location: REST_MOUNT + location }),
    ...toEtag(operation, output),
  };
  const status = operation.answers?.statusOf(output) ?? operation.status;
  const response =
    output === undefined
      ? { status, headers, body: null }
      : { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(output) };
  return { response, input, output };
};

const toEtag = (operation: Operation, output: unknown): Record<string, string> =>
  operation.version ? { etag: `"${operation.version(output)}"` } : {};

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
