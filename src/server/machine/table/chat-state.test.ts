import { describe, expect, it } from "vitest";
import { ChatStatus } from "@/contract/chat";
import { classify, STATE_DEFINITIONS } from "./chat-state";

it("has a state for each status", () => {
  const statuses = new Set(Object.values(STATE_DEFINITIONS).map(({ status }) => status));
  expect([...statuses].toSorted()).toEqual([...ChatStatus.options].toSorted());
});

describe("classify", () => {
  const at = new Date(0);
  it.each([
    ["waiting", null, 0, false, "waiting"],
    ["waiting", null, 1, false, "invalid"],
    ["waiting", null, 1, true, "waiting_paused"],
    ["pending", null, 0, false, "pending"],
    ["pending", null, 1, false, "pending_queued"],
    ["running", null, 0, false, "running"],
    ["running", null, 2, false, "running_queued"],
    ["running", null, 2, true, "invalid"],
    ["interrupting", null, 0, false, "interrupting"],
    ["interrupting", null, 2, false, "interrupting_queued"],
    ["interrupting", null, 2, true, "interrupting_paused"],
    ["requires_action", null, 0, false, "requires_action"],
    ["requires_action", null, 2, false, "requires_action_queued"],
    ["awaiting_agents", null, 0, false, "awaiting_agents"],
    ["error", null, 0, false, "error"],
    ["error", null, 2, false, "error_queued"],
    ["running", at, 0, false, "invalid"],
    ["requires_action", at, 0, false, "invalid"],
    ["error", at, 0, false, "archived_error"],
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
