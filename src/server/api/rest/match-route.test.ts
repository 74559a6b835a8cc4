import { describe, expect, it } from "vitest";
import { matchRoute } from "./match-route";

describe("matchRoute", () => {
  it.each([
    ["GET", "/models", {}],
    ["GET", "/chats/a", { chat_id: "a" }],
    ["GET", "/chats/a/messages", { chat_id: "a" }],
    ["PATCH", "/chats/messages", { chat_id: "messages" }],
    ["POST", "/chats/a/queue/b/promote", { chat_id: "a", queued_id: "b" }],
    ["GET", "/chats/a%20b%2Fc%C3%A9", { chat_id: "a b/cé" }],
    ["GET", "/chats/:x", { chat_id: ":x" }],
    ["GET", "/chats/__proto__", { chat_id: "__proto__" }],
  ])("finds the operation of %s %s", (method, path, params) => {
    const match = matchRoute(method, path);
    expect(match).toMatchObject({ type: "operation", operation: { method } });
    expect("params" in match && { ...match.params }).toEqual(params);
  });

  it("finds a stream", () => {
    expect(matchRoute("GET", "/chats/a/stream")).toMatchObject({
      type: "stream",
      operation: { path: "/chats/{chat_id}/stream" },
      params: { chat_id: "a" },
    });
  });

  it.each([
    ["PUT", "/models", ["GET", "POST"]],
    ["PUT", "/chats", ["POST", "GET"]],
    ["POST", "/chats/a/stream", ["GET"]],
    ["get", "/models", ["GET", "POST"]],
    ["", "/models", ["GET", "POST"]],
  ])("names the methods that are allowed instead of %j %s", (method, path, allowed) => {
    expect(matchRoute(method, path)).toEqual({ type: "wrong-method", allowed });
  });

  it.each([
    "",
    "/",
    "//",
    "/unknown",
    "/models/",
    "//models",
    "/Models",
    "/mod%65ls",
    "/chats/",
    "/chats/a/",
    "/chats//",
    "/chats//messages",
    "/chats/%",
    "/chats/%E0%A4%A",
    "/chats/a/messages/%",
    "/chats/a/b/c/d/e",
    "/chats/{chat_id}/nothing",
    "/__proto__",
    "/constructor",
    "/chats/a/__proto__",
    "/watch/__proto__",
  ])("finds nothing at %j", (path) => {
    expect(matchRoute("GET", path)).toEqual({ type: "unknown" });
  });
});
