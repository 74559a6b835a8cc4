import {
  initTRPC,
  tracked,
  TRPCError,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCSubscriptionProcedure,
} from "@trpc/server";
import * as z from "zod";
import { DomainError } from "@/contract/domain-error";
import { createUnauthorizedError } from "@/server/auth/authenticator";
import { shutdown } from "@/server/stream/shutdown";
import { parseExactJson } from "@/lib/exact-json";
import type { Idempotency } from "@/server/chat/idempotency";
import { createGoodbye } from "./goodbye";
import { findChatId, type Operation, type StreamOperation } from "./operation";
import type { Access, OperationContext } from "./operation-context";
import { createRestartError, toDomainError, toProblem, TRANSPORT_BY_CODE } from "./problem";

export type TrpcContext = {
  /** @throws {DomainError} `forbidden`. */
  createOperationContext: (operation: Access) => OperationContext;
  requestId: string;
  /** `set-cookie` headers of the response. */
  cookies: readonly string[];
  /** The idempotency keys of the calls of the request, in their order; empty for a call without. */
  keys: readonly string[];
  idempotency: Idempotency;
};

/** Error codes of tRPC itself that are client errors; all others are internal errors. */
const CLIENT_ERROR_CODES: Partial<Record<TRPCError["code"], "invalid" | "not_found">> = {
  BAD_REQUEST: "invalid",
  PARSE_ERROR: "invalid",
  METHOD_NOT_SUPPORTED: "invalid",
  UNSUPPORTED_MEDIA_TYPE: "invalid",
  NOT_FOUND: "not_found",
};

/** Converts the error of a procedure to the DomainError that REST would report. */
export const toProcedureDomainError = (error: TRPCError): DomainError => {
  if (error.cause instanceof DomainError) return error.cause;
  if (error.cause instanceof z.ZodError) return toDomainError(error.cause);
  const code = CLIENT_ERROR_CODES[error.code];
  return code ? new DomainError(code, error.message) : toDomainError(error);
};

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  sse: {
    ping: { enabled: true, intervalMs: 15_000 },
    client: { reconnectAfterInactivityMs: 45_000 },
  },
  errorFormatter: ({ shape, error, ctx }) => {
    const problem = toProblem(toProcedureDomainError(error), ctx?.requestId ?? "");
    return { ...shape, message: problem.detail, data: { ...shape.data, problem } };
  },
});

export const { router } = t;

const procedure = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok && result.error.cause instanceof DomainError)
    throw toTrpcError(result.error.cause);
  return result;
});

/** A procedure in which `server` is the context of the operation. */
const createProcedure = (operation: Access) =>
  procedure.use(({ ctx, next }) =>
    next({ ctx: { server: ctx.createOperationContext(operation) } }),
  );

export const toTrpcError = (error: DomainError): TRPCError =>
  new TRPCError({ code: TRANSPORT_BY_CODE[error.code].trpc, message: error.message, cause: error });

/** Makes the input optional if all its fields are. */
type OptionalInput<Fields> = Record<never, never> extends Fields ? Fields | undefined : Fields;

type Definition<Input extends z.ZodType, Output> = {
  input: OptionalInput<z.input<Input>>;
  output: Output;
  meta: unknown;
};

export const query = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): TRPCQueryProcedure<Definition<Input, z.output<Output>>> =>
  createProcedure(operation)
    .input(createParser(operation))
    .query(({ ctx, input }) =>
      operation.run(ctx.server, input as z.output<Input>),
    ) as TRPCQueryProcedure<Definition<Input, z.output<Output>>>;

export const mutation = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): TRPCMutationProcedure<Definition<Input, z.output<Output>>> =>
  createProcedure(operation)
    .input(createParser(operation))
    .mutation(({ ctx, input, batchIndex = 0 }) =>
      runOnce(operation, { ctx, input: input as z.output<Input>, key: ctx.keys[batchIndex] ?? "" }),
    ) as TRPCMutationProcedure<Definition<Input, z.output<Output>>>;

type KeyedCall<Input> = {
  ctx: Pick<TrpcContext, "idempotency"> & { server: OperationContext };
  input: Input;
  key: string;
};

/** Runs an operation, or returns its stored output when the idempotency key is known. */
const runOnce = async <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  { ctx: { server, idempotency }, input, key }: KeyedCall<z.output<Input>>,
): Promise<z.output<Output>> => {
  if (key === "" || operation.method !== "POST" || operation.ignoresIdempotencyKey) {
    return operation.run(server, input);
  }
  const text = JSON.stringify(input);
  const route = `tRPC ${operation.name}`;
  const keyed = { userId: server.actor.userId, route, key, body: Buffer.from(text) };
  const { body } = await idempotency.runOnce(server, keyed, async (given) => {
    const output = await operation.run(given, input);
    const response = {
      status: operation.status,
      headers: {},
      body: JSON.stringify(output) ?? null,
    };
    return { response, chatId: findChatId(operation, input, output) };
  });
  return (body === null ? undefined : parseExactJson(body)) as z.output<Output>;
};

const createParser =
  <Input extends z.ZodType>({ input: schema }: { input: Input }) =>
  (input: unknown = {}): z.output<Input> =>
    schema.parse(input);

/** An event of a subscription; `id` is the cursor from which the client resumes. */
export type TrackedEvent<Event> = { id: string; data: Event };

/** Creates a subscription with tracked events, which resumes after a reconnect. */
export const subscription = <Input extends z.ZodType, Event extends z.ZodType>(
  operation: StreamOperation<Input, Event>,
): TRPCSubscriptionProcedure<
  Definition<Input, AsyncIterable<TrackedEvent<z.output<Event>>, void, unknown>>
> =>
  createProcedure(operation)
    .input((input: unknown) => createParser(operation)(toResumeInput(operation, input)))
    .subscription(({ ctx, input, signal }) =>
      trackEvents(operation, { ctx: ctx.server, input: input as z.output<Input>, signal }),
    ) as unknown as TRPCSubscriptionProcedure<
    Definition<Input, AsyncIterable<TrackedEvent<z.output<Event>>, void, unknown>>
  >;

/** Converts the `lastEventId` of a reconnecting client to the field `after`. */
const toResumeInput = (
  { isResumable }: Pick<StreamOperation, "isResumable">,
  input: unknown,
): unknown => {
  if (typeof input !== "object" || input === null || !("lastEventId" in input)) return input;
  const { lastEventId, ...fields } = input;
  return isResumable ? { ...fields, after: lastEventId } : fields;
};

async function* trackEvents<Input extends z.ZodType, Event extends z.ZodType>(
  operation: StreamOperation<Input, Event>,
  {
    ctx,
    input,
    signal = shutdown.signal,
  }: { ctx: OperationContext; input: z.output<Input>; signal: AbortSignal | undefined },
) {
  const credentialEnd = new AbortController();
  let stopWatching: (() => void) | undefined;
  let id = String((input as { after?: number }).after ?? 0);
  try {
    stopWatching = ctx.auth.watchCredential(ctx.actor.credential, (reason) => {
      credentialEnd.abort(reason);
    });
    const stop = AbortSignal.any([signal, shutdown.signal, credentialEnd.signal]);
    for await (const { event, cursor } of await operation.open(ctx, input, stop)) {
      id = String(cursor ?? 0);
      yield tracked(id, event);
    }
  } catch (error) {
    if (error instanceof DomainError) throw toTrpcError(error);
    throw error;
  } finally {
    stopWatching?.();
  }
  if (credentialEnd.signal.reason === "token_expired") {
    yield tracked(id, createGoodbye("token_expired"));
  }
  if (credentialEnd.signal.aborted) throw toTrpcError(createUnauthorizedError());
  if (!shutdown.signal.aborted) return;
  yield tracked(id, createGoodbye("restart"));
  // The client reconnects only after an error; a normal return would end its subscription.
  throw toTrpcError(createRestartError());
}
