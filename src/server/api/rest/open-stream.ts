import { isUnavailable } from "@/contract/domain-error";
import type { Goodbye } from "@/contract/stream-event";
import type { ApiLog } from "@/server/api/failure-response";
import { createGoodbye } from "@/server/api/goodbye";
import type { StreamOperation } from "@/server/api/operation";
import type { OperationContext } from "@/server/api/operation-context";
import type { ApiRequest } from "@/server/api/request-body";
import type { StoredResponse } from "@/server/db/chats/rows";
import { shutdown } from "@/server/stream/shutdown";
import { createSseResponse } from "./sse-response";

type StreamScope = { request: ApiRequest; requestId: string; log: ApiLog };

export type StreamTarget = {
  operation: StreamOperation;
  input: unknown;
  /** Status and headers of the operation that created the streamed resource. */
  initialResponse?: Pick<StoredResponse, "status" | "headers">;
};

/**
 * Opens a stream for the caller.
 *
 * @param findTarget called when the stream is within the caller's limit, so that an operation whose output
 *   cannot be streamed is not run.
 */
export const openStream = async (
  scope: StreamScope,
  ctx: OperationContext,
  findTarget: () => StreamTarget | Promise<StreamTarget>,
): Promise<Response> => {
  const { request, requestId, log } = scope;
  const controller = new AbortController();
  let goodbye: Goodbye | undefined;
  const stop = (): void => {
    // A string as reason, because the default DOMException captures a stack for each stream.
    controller.abort("over");
    stopWatching();
    request.signal.removeEventListener("abort", stop);
    shutdown.signal.removeEventListener("abort", stopForRestart);
  };
  const stopForRestart = (): void => {
    goodbye = createGoodbye("restart");
    stop();
  };
  const stopWatching = ctx.auth.watchCredential(ctx.actor.credential, (reason) => {
    if (reason === "token_expired") goodbye = createGoodbye(reason);
    stop();
  });
  request.signal.addEventListener("abort", stop);
  shutdown.signal.addEventListener("abort", stopForRestart);
  try {
    if (request.signal.aborted) stop();
    if (shutdown.signal.aborted) stopForRestart();
    const { operation, input, initialResponse } = await findTarget();
    const frames = await operation.open(ctx, operation.input.parse(input), controller.signal);
    return createSseResponse(frames as Parameters<typeof createSseResponse>[0], {
      ...(initialResponse && { status: initialResponse.status, headers: initialResponse.headers }),
      findGoodbye: () => goodbye,
      stop,
      onError: (error) => {
        if (!isUnavailable(error)) log.error({ err: error, requestId }, "a stream broke off");
      },
    });
  } catch (error) {
    stop();
    throw error;
  }
};
