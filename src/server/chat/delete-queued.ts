import type { ServerContext } from "@/server/context";
import { changeQueue } from "./change-queue";

/**
 * Takes a message out of the queue.
 *
 * @throws {DomainError} `conflict` when the queue is empty, `not_found` for an unknown id.
 */
export const deleteQueued = (
  ctx: ServerContext,
  input: { chatId: string; queuedId: string },
): Promise<void> => changeQueue(ctx, input, "delete_queued");
