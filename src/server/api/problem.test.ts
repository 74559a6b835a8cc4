import { describe, expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { problemHeaders, toDomainError } from "./problem";

const RUNNING = new AbortController().signal;
const STOPPING = AbortSignal.abort();
const CLOSED = new Error("the database is closed");

describe("toDomainError", () => {
  it("tells of a bug without its words", () => {
    const failure = toDomainError(CLOSED, RUNNING);
    expect(failure).toMatchObject({ code: "internal", cause: CLOSED });
    expect(failure.message).not.toContain("database");
  });

  it("tells clients of a process that stops to come back", () => {
    const failure = toDomainError(CLOSED, STOPPING);
    expect(failure).toMatchObject({ code: "unavailable", cause: CLOSED });
    expect(problemHeaders(failure)).toEqual({ "retry-after": "1" });
  });

  it("says what is wrong with a request to the end", () => {
    const refusal = new DomainError("not_found", "There is no such chat.");
    expect(toDomainError(refusal, STOPPING)).toBe(refusal);
  });
});
