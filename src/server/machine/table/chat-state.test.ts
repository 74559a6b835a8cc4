import { describe, expect, it } from "vitest";
import { classify } from "./chat-state";

describe("classify", () => {
  const at = new Date(0);
  it.each([
    ["waiting", null, 0, false, "waiting"],
    ["waiting", null, 1, false, "invalid"],
    ["waiting", null, 1, true, "waiting_paused"],
    ["running", null, 0, false, "running"],
    ["running", null, 2, false, "running_queued"],
    ["running", null, 2, true, "invalid"],
    ["interrupting", null, 2, false, "interrupting_queued"],
    ["interrupting", null, 2, true, "interrupting_paused"],
    ["running", at, 0, false, "invalid"],
    ["requires_action", at, 0, false, "invalid"],
    ["error", at, 3, false, "archived_error_queued"],
    ["waiting", at, 0, false, "archived_waiting"],
    ["waiting", at, 1, false, "invalid"],
    ["waiting", at, 1, true, "archived_waiting_paused"],
  ] as const)(
    "%s, archived %s, %i queued, paused %s → %s",
    (status, archivedAt, queuedCount, queuePaused, state) => {
      expect(classify({ status, archivedAt, queuedCount, queuePaused })).toBe(state);
    },
  );
});
