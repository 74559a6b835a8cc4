import { describe, expect, it } from "vitest";
import { FetchFailure } from "@/server/net/guarded-fetch";
import { explainFailure } from "./explain-failure";
import { loadSdk } from "./load-sdk";

const { SdkError, SdkErrorCode, SdkHttpError } = loadSdk();

const explain = (reason: unknown, problem?: string) =>
  explainFailure(reason, {
    declaration: { name: "test", timeout_seconds: 60 },
    connection: { findProblem: () => problem },
    isRead: false,
  });

const http = (status: number, text: string) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `Error POSTing to endpoint: ${text}`, {
    status,
    statusText: "",
    text,
  });
const unreachable = (code: string) =>
  new FetchFailure("it could not be reached", {
    cause: Object.assign(new Error(`connect ${code}`), { code }),
  });

describe("a failed call", () => {
  it.each([
    ["a refused connection", unreachable("ECONNREFUSED")],
    ["an unknown session", http(404, "gone")],
    ["an unknown session, in words", http(400, "No such session")],
  ])("is sent again in a new connection after %s", (_, reason) => {
    expect(explain(reason)).toMatchObject({ isLost: true, isUnsent: true });
  });

  it.each([
    ["a connection that was cut", unreachable("ECONNRESET")],
    ["a closed connection", new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed")],
    ["no connection", new SdkError(SdkErrorCode.NotConnected, "Not connected")],
  ])("is not sent again after %s, which is lost", (_, reason) => {
    expect(explain(reason)).toMatchObject({ isLost: true, isUnsent: false });
  });

  it.each([
    [
      "a server that speaks of a refused connection",
      http(500, "connect ECONNREFUSED 10.0.0.1:5432"),
    ],
    ["too many requests", http(429, "later")],
    ["a result that is none", new SdkError(SdkErrorCode.InvalidResult, "Invalid result")],
    ["a body that is cut off", new TypeError("terminated")],
  ])("leaves the connection to others after %s", (_, reason) => {
    const failure = explain(reason);
    expect(failure).toMatchObject({ isLost: false, isUnsent: false });
    expect(failure.message).toContain("may have taken effect or not");
  });

  it("has lost a connection that has a problem", () => {
    const failure = explain(new Error("any"), "The program has ended.");
    expect(failure).toMatchObject({ isLost: true, isUnsent: false });
    expect(failure.message).toContain("The program has ended.");
  });
});
