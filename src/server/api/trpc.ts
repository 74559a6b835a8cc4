import {
  initTRPC,
  tracked,
  TRPCError,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCSubscriptionProcedure,
} from "@trpc/server";
import { type z, ZodError } from "zod";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { shutdown } from "@/server/stream/shutdown";
import type { Operation, StreamOperation } from "./operation";
import { restarting, toDomainError, toProblem, TRANSPORT } from "./problem";

export type TrpcContext = {
  server: ServerContext;
  requestId: string;
  /** `set-cookie` headers of the answer. */
  cookies: readonly string[];
};

/** The library's own refusals that are the client's fault; all others are ours. */
const OWN_REFUSALS: Partial<Record<TRPCError["code"], "invalid" | "not_found">> = {
  BAD_REQUEST: "invalid",
  PARSE_ERROR: "invalid",
  METHOD_NOT_SUPPORTED: "invalid",
  UNSUPPORTED_MEDIA_TYPE: "invalid",
  NOT_FOUND: "not_found",
};

/** What went wrong in a procedure, as the failure that REST would tell of. */
export const domainErrorOf = (error: TRPCError): DomainError => {
  if (error.cause instanceof DomainError) return error.cause;
  if (error.cause instanceof ZodError) return toDomainError(error.cause);
  const code = OWN_REFUSALS[error.code];
  return code ? new DomainError(code, error.message) : toDomainError(error);
};

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  sse: {
    ping: { enabled: true, intervalMs: 15_000 },
    client: { reconnectAfterInactivityMs: 45_000 },
  },
  errorFormatter: ({ shape, error, ctx }) => {
    const problem = toProblem(domainErrorOf(error), ctx?.requestId ?? "");
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

export const toTrpcError = (error: DomainError): TRPCError =>
  new TRPCError({ code: TRANSPORT[error.code].trpc, message: error.message, cause: error });

/** An input of optional fields only may be left out. */
type Given<Fields> = Record<never, never> extends Fields ? Fields | undefined : Fields;

type Definition<Input extends z.ZodType, Output> = {
  input: Given<z.input<Input>>;
  output: Output;
  meta: unknown;
};

export const query = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): TRPCQueryProcedure<Definition<Input, z.output<Output>>> =>
  procedure
    .input(parserOf(operation))
    .query(({ ctx, input }) =>
      operation.run(ctx.server, input as z.output<Input>),
    ) as TRPCQueryProcedure<Definition<Input, z.output<Output>>>;

export const mutation = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): TRPCMutationProcedure<Definition<Input, z.output<Output>>> =>
  procedure
    .input(parserOf(operation))
    .mutation(({ ctx, input }) =>
      operation.run(ctx.server, input as z.output<Input>),
    ) as TRPCMutationProcedure<Definition<Input, z.output<Output>>>;

const parserOf =
  <Input extends z.ZodType>({ input: schema }: { input: Input }) =>
  (input: unknown = {}): z.output<Input> =>
    schema.parse(input);

/** What a subscription yields: the event, and where to come back to. */
export type TrackedEvent<Event> = { id: string; data: Event };

/** A subscription; each event is tracked, so that a client that comes back goes on behind it. */
export const subscription = <Input extends z.ZodType, Event extends z.ZodType>(
  operation: StreamOperation<Input, Event>,
): TRPCSubscriptionProcedure<
  Definition<Input, AsyncIterable<TrackedEvent<z.output<Event>>, void, unknown>>
> =>
  procedure
    .input((input: unknown) => parserOf(operation)(resumed(operation, input)))
    .subscription(({ ctx, input, signal }) =>
      trackedEvents(operation, { ctx, input: input as z.output<Input>, signal }),
    ) as unknown as TRPCSubscriptionProcedure<
    Definition<Input, AsyncIterable<TrackedEvent<z.output<Event>>, void, unknown>>
  >;

/** A client that comes back says behind which event; that is where it goes on. */
const resumed = ({ resumable }: Pick<StreamOperation, "resumable">, input: unknown): unknown => {
  if (typeof input !== "object" || input === null || !("lastEventId" in input)) return input;
  const { lastEventId, ...fields } = input;
  return resumable ? { ...fields, after: lastEventId } : fields;
};

async function* trackedEvents<Input extends z.ZodType, Event extends z.ZodType>(
  operation: StreamOperation<Input, Event>,
  {
    ctx,
    input,
    signal = shutdown.signal,
  }: { ctx: TrpcContext; input: z.output<Input>; signal: AbortSignal | undefined },
) {
  try {
    const stop = AbortSignal.any([signal, shutdown.signal]);
    for await (const { event, cursor } of await operation.open(ctx.server, input, stop)) {
      yield tracked(String(cursor ?? 0), event);
    }
  } catch (error) {
    if (error instanceof DomainError) throw toTrpcError(error);
    throw error;
  }
  // A plain return would end the client's subscription for good; this code makes it come back.
  if (shutdown.signal.aborted) throw toTrpcError(restarting());
}
