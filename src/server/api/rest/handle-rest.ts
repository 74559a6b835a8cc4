import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";
import type { Authenticator } from "@/server/auth/authenticator";
import type { ServerContext } from "@/server/context";
import {
  createIdempotency,
  type Idempotency,
  idempotencyKeyOf,
  type KeptAnswer,
} from "@/server/api/idempotency";
import type { ApiLog } from "@/server/api/api-log";
import { failureAnswer, PROBLEM_TYPE } from "@/server/api/failure-answer";
import { openapiDocument } from "@/server/api/openapi";
import type { Operation, StreamOperation } from "@/server/api/operation";
import { toProblem } from "@/server/api/problem";
import { requestIdOf } from "@/server/api/request-id";
import { createServerContext } from "@/server/api/server-context";
import { shutdown } from "@/server/stream/shutdown";
import { matchRoute } from "./match-route";
import { readInput, streamInput } from "./read-input";
import { sseResponse } from "./sse-response";

type Services = Pick<ServerContext, "db" | "toolSources"> & {
  authenticator: Authenticator;
  log: ApiLog;
};

const MOUNT = "/api/v1";
const EVENT_STREAM = "text/event-stream";
const JSON_HEADERS = { "content-type": "application/json" };

/** Answers `/api/v1/…`. Never rejects: whatever goes wrong becomes a problem document. */
export const createRestHandler = (services: Services) => {
  const idempotency = createIdempotency(services.db);

  return async (request: Request): Promise<Response> => {
    const requestId = requestIdOf(request.headers);
    const exchange: Exchange = { ...services, idempotency, request, requestId, cookies: [] };
    const response = await respond(exchange).catch((error: unknown) =>
      toResponse(failureAnswer(error, exchange)),
    );
    response.headers.set("x-request-id", requestId);
    for (const cookie of exchange.cookies) response.headers.append("set-cookie", cookie);
    return response;
  };
};

type Exchange = Services & {
  idempotency: Idempotency;
  request: Request;
  requestId: string;
  /** What the session wants set, known once the caller is. */
  cookies: readonly string[];
};

const respond = async (exchange: Exchange): Promise<Response> => {
  const { request } = exchange;
  const path = new URL(request.url).pathname.slice(MOUNT.length);
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (path === "/openapi.json" && method === "GET") {
    return toResponse({ status: 200, headers: JSON_HEADERS, body: openapiDocument() });
  }
  const match = matchRoute(method, path);
  switch (match.type) {
    case "unknown":
      throw new DomainError("not_found", `There is nothing at ${MOUNT}${path}.`);
    case "wrong-method":
      return toResponse(wrongMethod(exchange, match.allowed));
    case "operation": {
      const ctx = await contextOf(exchange);
      const answer = await runKeyed(exchange, ctx, match);
      return (await follow(exchange, ctx, { ...match, answer })) ?? toResponse(answer);
    }
    case "stream": {
      const { operation, params } = match;
      const ctx = await contextOf(exchange);
      const input = streamInput(request, operation, params);
      return openStream(exchange, ctx, { operation, input });
    }
  }
};

/** @returns undefined where there is nothing to follow, or the client does not want to. */
const follow = async (
  exchange: Exchange,
  ctx: ServerContext,
  { operation, answer }: { operation: Operation; answer: KeptAnswer },
): Promise<Response | undefined> => {
  const accepts = exchange.request.headers.get("accept")?.includes(EVENT_STREAM);
  if (!operation.follow || !accepts || answer.status >= 400 || !answer.body) return undefined;
  return openStream(exchange, ctx, {
    operation: operation.follow.stream,
    input: operation.follow.input(JSON.parse(answer.body)),
    answered: answer,
  });
};

const contextOf = async (exchange: Exchange): Promise<ServerContext> => {
  const { actor, cookies } = await exchange.authenticator.authorize(exchange.request);
  exchange.cookies = cookies;
  return createServerContext(exchange, actor);
};

type Called = { operation: Operation; params: Record<string, string> };

/** Runs an operation, or repeats its first answer when the request carries a known key. */
const runKeyed = async (
  exchange: Exchange,
  ctx: ServerContext,
  { operation, params }: Called,
): Promise<KeptAnswer> => {
  const { request, idempotency } = exchange;
  const { body, fields } = await readInput(request, operation, params);
  const key = operation.method === "POST" ? idempotencyKeyOf(request.headers) : undefined;
  // What has no such id ends in 404 in any case, and is no name to keep.
  const keepable = operation.secret !== true && Object.values(params).every(isUuid);
  if (key === undefined || !keepable) return run(ctx, operation, fields);

  const keyed = { userId: ctx.actor.userId, route: routeOf(operation, params), key, body };
  const kept = await idempotency.claim(keyed);
  if (kept) return { ...kept, headers: { ...kept.headers, "idempotency-replayed": "true" } };
  const answer = await run(ctx, operation, fields).catch((error: unknown) =>
    failureAnswer(error, exchange),
  );
  // A repeat may succeed where the first met a full queue or a fault of ours.
  if (answer.status >= 500 || answer.status === 429) await idempotency.forget(keyed);
  else await idempotency.keep(keyed, answer);
  return answer;
};

const routeOf = ({ method, path }: Operation, params: Record<string, string>): string =>
  `${method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]?.toLowerCase() ?? "")}`;

const run = async (
  ctx: ServerContext,
  operation: Operation,
  fields: unknown,
): Promise<KeptAnswer> => {
  const output = await operation.run(ctx, operation.input.parse(fields));
  const location = operation.location?.(output);
  const headers = location === undefined ? {} : { location: MOUNT + location };
  if (operation.status === 202 || operation.status === 204) {
    return { status: operation.status, headers, body: null };
  }
  return {
    status: operation.status,
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify(output),
  };
};

type Opened = {
  operation: StreamOperation;
  input: unknown;
  /** Of the request that made what is watched. */
  answered?: Pick<KeptAnswer, "status" | "headers">;
};

const openStream = async (
  exchange: Exchange,
  ctx: ServerContext,
  { operation, input, answered }: Opened,
): Promise<Response> => {
  const { request, requestId, log } = exchange;
  const ending = new AbortController();
  const end = (): void => {
    // With a reason of our own: by default one is made with a stack, for each stream that ends.
    ending.abort("over");
  };
  const stop = (): void => {
    end();
    request.signal.removeEventListener("abort", end);
    shutdown.signal.removeEventListener("abort", end);
  };
  request.signal.addEventListener("abort", end);
  shutdown.signal.addEventListener("abort", end);
  try {
    if (request.signal.aborted || shutdown.signal.aborted) end();
    const frames = await operation.open(ctx, operation.input.parse(input), ending.signal);
    return sseResponse(frames as Parameters<typeof sseResponse>[0], {
      ...(answered && { status: answered.status, headers: answered.headers }),
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

const wrongMethod = ({ request, requestId }: Exchange, allowed: string[]): KeptAnswer => {
  const error = new DomainError("invalid", `${request.method} is not possible here.`);
  const problem = { ...toProblem(error, requestId), title: "Method Not Allowed", status: 405 };
  return {
    status: 405,
    headers: { ...PROBLEM_TYPE, allow: allowed.join(", ") },
    body: JSON.stringify(problem),
  };
};

const toResponse = ({ status, headers, body }: KeptAnswer): Response =>
  new Response(body, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers },
  });
