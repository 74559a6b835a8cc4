import type { z } from "zod";
import type { ServerContext } from "@/server/context";

type Route<Input extends z.ZodType> = {
  /** As in the tRPC router, such as `chats.create`. */
  name: string;
  /** Under `/api/v1`; `{chat_id}` is the input's field of that name. */
  path: `/${string}`;
  summary: string;
  input: Input;
};

/**
 * One thing that clients can ask for. REST, tRPC and the OpenAPI document are all made from it,
 * so they cannot disagree.
 */
export type Operation<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> = Route<Input> & {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  output: Output;
  /** 204 and 202 have no body. */
  status: 200 | 201 | 202 | 204;
  /** How a body over the limit is refused, where it is not by 413. */
  oversized?: "invalid";
  /** The answer holds a secret, so it is not kept for repeated requests. */
  secret?: true;
  /** The path of what was made, under `/api/v1`. Methods, so that lists of operations type-check. */
  location?(output: z.output<Output>): string;
  /** What a client that accepts an event stream is answered with: what was made, from its beginning to its end. */
  follow?: { stream: StreamOperation; input(output: z.output<Output>): unknown };
  run(ctx: ServerContext, input: z.output<Input>): Promise<z.output<Output>>;
};

/** An event on its way to a watcher. */
export type StreamFrame<Event> = {
  event: Event;
  /**
   * The chat version up to which the watcher has been told everything; a watcher that comes
   * back with it misses nothing. Null where there is nothing to come back to.
   */
  cursor: number | null;
};

/** Something that clients can watch. */
export type StreamOperation<
  Input extends z.ZodType = z.ZodType,
  Event extends z.ZodType = z.ZodType,
> = Route<Input> & {
  method: "GET";
  event: Event;
  /** The input's `after` says where to go on. */
  resumable: boolean;
  /** Whether the event belongs to committed state; only such events carry the cursor over SSE. */
  isDurable(event: z.output<Event>): boolean;
  /** @throws {DomainError} before the first event, when the request cannot be served. */
  open(
    ctx: ServerContext,
    input: z.output<Input>,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<StreamFrame<z.output<Event>>, void, undefined>>;
};

/** The name and the method keep their literal types, which the router's type is made of. */
export const defineOperation = <
  const Name extends string,
  const Method extends Operation["method"],
  Input extends z.ZodType,
  Output extends z.ZodType,
>(
  operation: Operation<Input, Output> & { name: Name; method: Method },
): Operation<Input, Output> & { name: Name; method: Method } => operation;

export const defineStream = <
  const Name extends string,
  Input extends z.ZodType,
  Event extends z.ZodType,
>(
  operation: StreamOperation<Input, Event> & { name: Name },
): StreamOperation<Input, Event> & { name: Name } => operation;
