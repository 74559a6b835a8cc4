import type { ChatStatus } from "./chat";

const BUSY: ReadonlySet<ChatStatus> = new Set([
  "pending",
  "running",
  "interrupting",
  "requires_action",
]);

/** A turn is under way or parked, so that messages wait and Escape interrupts. */
export const isBusy = (status: ChatStatus): boolean => BUSY.has(status);
