import { expect, it } from "vitest";
import { createLoginPath, readReturnPath } from "./return-path";

it.each([
  "/chats/0190f5a0-0000-7000-8000-000000000001",
  "/chats/1?message=5#end",
  "/settings/api-keys",
  "/apiary",
  "/chats/caf%C3%A9%20%2F",
])("signing in leads back to %s", (page) => {
  const { searchParams } = new URL(createLoginPath(page), "http://localhost");
  expect(readReturnPath(searchParams.get("next") ?? undefined)).toBe(page);
});

it.each([
  undefined,
  "",
  "chats/1",
  "https://evil.example/chats/1",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/.//evil.example",
  "/chats/..//evil.example",
  "/%2e//evil.example",
  " //evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "http:evil.example",
  "/login",
  "/login?next=/login",
  "/setup",
  "/api/v1/chats",
])("signing in leads from %j to the first page", (next) => {
  expect(readReturnPath(next)).toBe("/");
});

it("a sign-in without another page has a short path", () => {
  expect(createLoginPath("/")).toBe("/login");
  expect(createLoginPath("//evil.example")).toBe("/login");
});
