import { describe, expect, it } from "vitest";
import { requireOutcome } from "./require-outcome";

describe("a refusal", () => {
  it.each(["complete_action", "decide_some", "decide_last"] as const)(
    "of %s names the status and says that it can never fit again",
    (event) => {
      const facts = {
        status: "running",
        archivedAt: null,
        queuedCount: 0,
        queuePaused: false,
      } as const;
      expect(() => requireOutcome(facts, event)).toThrow(
        expect.objectContaining({
          code: "conflict",
          shouldRetry: false,
          message: expect.stringMatching(/^It has been answered elsewhere.*"running"/) as string,
        }),
      );
      expect(() => requireOutcome({ ...facts, hadCalls: false }, event)).toThrow(
        /^The chat cannot/,
      );
    },
  );

  it("says that the queue is empty only where it is", () => {
    const facts = { status: "waiting", queuedCount: 0, queuePaused: false } as const;
    for (const event of ["promote", "delete_queued"] as const) {
      expect(() => requireOutcome({ ...facts, archivedAt: null }, event)).toThrow(
        'while its status is "waiting" with an empty queue.',
      );
    }
    const paused = { ...facts, archivedAt: new Date(0), queuedCount: 2, queuePaused: true };
    expect(() => requireOutcome(paused, "promote")).toThrow(
      'while its status is "waiting" and archived.',
    );
  });

  it("of what is done to a chat with its agents says when one of these is in the way", () => {
    const facts = {
      status: "running",
      archivedAt: null,
      queuedCount: 0,
      queuePaused: false,
    } as const;
    const agent = { ...facts, parentChatId: "its chat" };
    for (const [event, words] of [
      ["archive", "archived"],
      ["unarchive", "unarchived"],
      ["delete", "deleted"],
    ] as const) {
      const refusal = `The chat cannot be ${words} while the status of`;
      expect(() => requireOutcome(agent, event)).toThrow(
        `${refusal} one of its agents is "running".`,
      );
    }
    expect(() => requireOutcome(agent, "regenerate")).toThrow('while its status is "running".');
    expect(() => requireOutcome({ ...facts, parentChatId: null }, "archive")).toThrow(
      'while its status is "running".',
    );
  });

  it("has words of its own for an invalid state", () => {
    expect(() =>
      requireOutcome(
        { status: "waiting", archivedAt: null, queuedCount: 1, queuePaused: false },
        "complete_action",
      ),
    ).toThrow(
      expect.objectContaining({
        shouldRetry: false,
        message: expect.stringContaining("invalid state") as string,
      }),
    );
  });
});
