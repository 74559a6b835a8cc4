import { describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { type ClosedReason, type ToolOutcome, closedOutcome, settle } from "./settle";
import {
  artifactResult,
  errorResult,
  jsonResult,
  silentResult,
  toolResult,
  userResult,
  withError,
  withResponseHandled,
} from "./tool-result";

const artifact = { id: "a1", name: "a.txt", media_type: "text/plain", size: 1 };
const plain: ToolOutcome = {
  state: "completed",
  output: "a",
  isError: false,
  forUser: null,
  silent: false,
  responseHandled: false,
  artifacts: null,
  taskId: null,
  resolvedBy: "worker",
};

describe("settle makes of a returned", () => {
  it.each([
    ["plain result", toolResult("a"), plain],
    ["silent result", silentResult("a"), { ...plain, silent: true }],
    [
      "silent result with a text for the person",
      { ...userResult("a"), silent: true },
      { ...plain, silent: true },
    ],
    ["user result", userResult("a"), { ...plain, forUser: "a" }],
    ["error", errorResult("a"), { ...plain, state: "error", isError: true }],
    ["data result", jsonResult({ ok: false }), { ...plain, output: { ok: false } }],
    ["data result of null", jsonResult(null), { ...plain, output: null }],
  ] as const)("%s its outcome", (_what, result, expected) => {
    expect(settle({ type: "returned", result: { ...result, artifacts: [] } })).toEqual(expected);
  });

  it("result with files and a handled answer both, and leaves the notes to the prompt", () => {
    const result = withResponseHandled(artifactResult("a", [artifact]));
    expect(settle({ type: "returned", result })).toEqual({
      ...plain,
      artifacts: [artifact],
      responseHandled: true,
    });
  });

  it("success with a cause a success", () => {
    const result = withError(toolResult("a"), new Error("boom"));
    expect(settle({ type: "returned", result })).toEqual(plain);
  });

  it("failure no trace of its cause", () => {
    const cause = Object.assign(new Error("boom"), { password: "hunter22" });
    const outcome = settle({ type: "returned", result: withError(errorResult("a"), cause) });
    expect(JSON.stringify(outcome)).not.toMatch(/boom|hunter22/);
  });
});

describe("settle keeps what a client answered", () => {
  it.each<JsonValue>([null, false, 0, "", [], {}, { deep: [1] }, "text"])("%j", (output) => {
    expect(settle({ type: "answered", output, isError: false, by: "user-1" })).toEqual({
      ...plain,
      output,
      resolvedBy: "user-1",
    });
    expect(settle({ type: "answered", output, isError: true, by: "api_key:k" })).toEqual({
      ...plain,
      state: "error",
      isError: true,
      output,
      resolvedBy: "api_key:k",
    });
  });
});

it("settle gives the model the reason of a denial", () => {
  const denied = (reason?: string) => settle({ type: "denied", reason, by: "user-1" });
  expect(denied("use the other file")).toMatchObject({
    state: "denied",
    isError: true,
    resolvedBy: "user-1",
    output: expect.stringContaining("use the other file") as string,
  });
  expect(denied().output).toBe(denied("  ").output);
});

describe("closedOutcome", () => {
  const states: Record<ClosedReason, ToolOutcome["state"]> = {
    interrupted: "cancelled",
    superseded: "cancelled",
    edited: "cancelled",
    timed_out: "timed_out",
    server_stopped: "error",
    program_lost: "error",
    toolset_deleted: "cancelled",
    turn_failed: "error",
    answer_failed: "cancelled",
    reconciled: "cancelled",
  };
  it.each(Object.entries(states) as [ClosedReason, ToolOutcome["state"]][])(
    "%s is %s, an error, and never a success",
    (reason, state) => {
      expect(closedOutcome(reason)).toMatchObject({ state, isError: true, responseHandled: false });
    },
  );

  it("says something of its own for each reason", () => {
    const texts = Object.keys(states).map((reason) => closedOutcome(reason as ClosedReason).output);
    expect(new Set(texts).size).toBe(texts.length);
    // It closes calls that waited for an approval too.
    expect(closedOutcome("timed_out").output).toMatch(/a result or an approval was missing/);
    expect(closedOutcome("server_stopped").output).toMatch(/^Unknown: the server stopped/);
  });
});
