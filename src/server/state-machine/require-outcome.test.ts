import { describe, expect, it } from "vitest";
import { requireOutcome } from "./require-outcome";

describe("a refusal", () => {
  it("names the status and says that tool results can never fit again", () => {
    expect(() =>
      requireOutcome(
        { status: "running", archivedAt: null, queuedCount: 0, queuePaused: false },
        "complete_action",
      ),
    ).toThrow(
      expect.objectContaining({
        code: "conflict",
        shouldRetry: false,
        message: expect.stringContaining('"running"') as string,
      }),
    );
  });

  it("has words of its own for an invalid state", () => {
    expect(() =>
      requireOutcome(
        { status: "waiting", archivedAt: null, queuedCount: 1, queuePaused: false },
        "complete_action",
      ),
    ).toThrow(/invalid state/);
  });
});
