import { randomInt } from "node:crypto";
import type { Goodbye } from "@/contract/stream-event";

/** Why the server ends a stream before its time. */
type GoodbyeReason = "restart" | "token_expired";

/** A server that starts again is away for about that long. Its clients come back spread over the time. */
const RETRY_AFTER_MS = { min: 1_000, max: 3_000 };

/** Creates the last event of a stream. */
export const createGoodbye = (reason: GoodbyeReason): Goodbye => ({
  type: "goodbye",
  reason,
  retry_after_ms: randomInt(RETRY_AFTER_MS.min, RETRY_AFTER_MS.max),
});
