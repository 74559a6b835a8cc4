import { describe, expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { problemHeaders, toDomainError } from "./problem";

const OPEN = new AbortController().signal;
const CLOSING = AbortSignal.abort();
const FAILURE = new Error("the database is closed");

describe("toDomainError", () => {
  it("tells of a bug without its words", () => {
    const failure = toDomainError(FAILURE, OPEN);
    expect(failure).toMatchObject({ code: "internal", cause: FAILURE });
    expect(failure.message).not.toContain("database");
  });

  it("tells clients of a process that closes to come back", () => {
    const failure = toDomainError(FAILURE, CLOSING);
    expect(failure).toMatchObject({ code: "unavailable", cause: FAILURE });
    expect(problemHeaders(failure)).toEqual({ "retry-after": "1" });
  });

  it("says what is wrong with a request to the end", () => {
    const refusal = new DomainError("not_found", "There is no such chat.");
    expect(toDomainError(refusal, CLOSING)).toBe(refusal);
  });
});
