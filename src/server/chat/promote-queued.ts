import type { ServerContext } from "@/server/context";
import { changeQueue } from "./change-queue";

/**
 * Sends a queued message before the others: a busy chat is interrupted for it, a resting one
 * takes it at once.
 *
 * @throws {DomainError} `conflict` when the queue is empty, `not_found` for an unknown id.
 */
export const promoteQueued = (
  ctx: ServerContext,
  input: { chatId: string; queuedId: string },
): Promise<void> => changeQueue(ctx, input, "promote");
