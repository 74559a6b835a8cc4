import type * as z from "zod";
import type { Chat } from "@/contract/chat";
import type { Access, OperationContext } from "./operation-context";

type Route<Input extends z.ZodType> = Access & {
  /** Name in the tRPC router, for example `chats.create`. */
  name: string;
  /** Path under `/api/v1`; `{chat_id}` is the input field of that name. */
  path: `/${string}`;
  summary: string;
  input: Input;
};

/** An operation of the API. REST routes, tRPC procedures and the OpenAPI document derive from it. */
export type Operation<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> = Route<Input> & {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  output: Output;
  /** 202 and 204 have no body if the output is void. */
  status: 200 | 201 | 202 | 204;
  /** Of an operation that answers in two ways: the status of an output, and the schema of each status. */
  answers?: { schemas: Record<number, z.ZodType>; statusOf(output: z.output<Output>): number };
  /**
   * The body is a file, which is the input's field `file`, and the other fields are in the query. As a `stream` it is read by
   * the operation while it arrives. REST only.
   */
  bodyType?: "file" | "stream";
  /** Largest body in bytes; `MAX_BODY_BYTES` by default. */
  maxBodyBytes?: number;
  /**
   * Nothing is stored for idempotent retries: the request or the response contains a secret, or the operation
   * changes nothing and waits for another server, which the transaction of a key must not do.
   */
  ignoresIdempotencyKey?: true;
  /**
   * Returns the created resource's path under `/api/v1`; undefined if none was created. This and the functions below are methods,
   * because method parameters are bivariant and lists of operations need that.
   */
  location?(output: z.output<Output>): string | undefined;
  /** Returns the chat that the response is about, if the input does not name it as `chat_id`. */
  chatId?(output: z.output<Output>): string;
  /** The version of the output, which its `ETag` has. */
  version?(output: z.output<Output>): number;
  /** The field of the input that the header `If-Match` gives, as a version. */
  ifMatch?: string;
  /** The stream of the turn that begins, for clients that accept an event stream. */
  follow?: {
    stream: StreamOperation;
    input(output: z.output<Output>, params: Record<string, string>): unknown;
  };
  /**
   * With `Prefer: wait=N`, the answer comes when its chat rests, fails, or waits for a client: which chat that is, and the
   * answer with it. REST only, as it is asked for by a header.
   */
  wait?: {
    chatId(output: z.output<Output>, params: Record<string, string>): string;
    withChat(output: z.output<Output>, chat: Chat): z.output<Output>;
  };
  run(ctx: OperationContext, input: z.output<Input>): Promise<z.output<Output>>;
};

/** @returns the chat that a response is about and with which it is deleted; null without one. */
export const findChatId = (
  operation: Pick<Operation, "chatId">,
  input: unknown,
  output: unknown,
): string | null => operation.chatId?.(output) ?? (input as { chat_id?: string }).chat_id ?? null;

/** An operation whose response is a file. REST only, as procedures carry JSON. */
export type DownloadOperation<Input extends z.ZodType = z.ZodType> = Route<Input> & {
  method: "GET";
  /** The response is written while it is sent: it has no ranges. */
  isWritten?: true;
  /** @throws {DomainError} before the response begins. */
  respond(
    ctx: OperationContext,
    input: z.output<Input>,
    request: { request: Pick<Request, "method" | "headers">; requestId: string },
  ): Promise<Response>;
};

/** An event of a stream with the cursor from which the stream can be resumed. */
export type StreamFrame<Event> = {
  event: Event;
  /** Up to where all events have been sent, such as a chat's version; null if the stream has no cursor. */
  cursor: number | string | null;
  /** True for events of committed state; only these have an id in server-sent events. */
  isDurable: boolean;
};

/** A stream of the API. */
export type StreamOperation<
  Input extends z.ZodType = z.ZodType,
  Event extends z.ZodType = z.ZodType,
> = Route<Input> & {
  method: "GET";
  event: Event;
  /** The input has a field `after`, the cursor from which the stream resumes. */
  isResumable: boolean;
  /** @throws {DomainError} before the first event. */
  open(
    ctx: OperationContext,
    input: z.output<Input>,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<StreamFrame<z.output<Event>>, void, undefined>>;
};

/** An operation of any kind. */
export type AnyOperation = Operation | DownloadOperation | StreamOperation;

/** Whether a repetition with the same key gives the first response again. */
export const acceptsIdempotencyKey = (
  operation: Pick<AnyOperation, "method"> & Pick<Operation, "ignoresIdempotencyKey">,
): boolean => operation.method === "POST" && operation.ignoresIdempotencyKey !== true;

/** Defines an operation; its name and method keep the literal types that the router's type uses. */
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

export const defineDownload = <Input extends z.ZodType>(
  operation: DownloadOperation<Input>,
): DownloadOperation<Input> => operation;
