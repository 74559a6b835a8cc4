import { describe, expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { createProblemHeaders, toDomainError } from "./problem";

const OPEN = new AbortController().signal;
const CLOSING = AbortSignal.abort();
const FAILURE = new Error("the database is closed");

describe("toDomainError", () => {
  it("converts an unexpected error to `internal` without its message", () => {
    const failure = toDomainError(FAILURE, OPEN);
    expect(failure).toMatchObject({ code: "internal", cause: FAILURE });
    expect(failure.message).not.toContain("database");
  });

  it("converts an unexpected error to `unavailable` while the process closes", () => {
    const failure = toDomainError(FAILURE, CLOSING);
    expect(failure).toMatchObject({ code: "unavailable", cause: FAILURE });
    expect(createProblemHeaders(failure)).toEqual({ "retry-after": "1" });
  });

  it("keeps a DomainError while the process closes", () => {
    const refusal = new DomainError("not_found", "There is no such chat.");
    expect(toDomainError(refusal, CLOSING)).toBe(refusal);
  });
});
