import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, ORIGIN } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { createAccount, signIn } from "@/test/session-client";
import { getOpenapiDocument } from "./openapi";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const create = (publicDocs: boolean) => {
  const test = createTestApi(db, undefined, { publicDocs });
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => {
    const request = new Request(`${ORIGIN}${path}`, { headers });
    return path === "/llms.txt" ? test.api.handleLlms(request) : test.api.handleRest(request);
  };
  return { test, get };
};
const PATHS = ["/llms.txt", "/api/v1/openapi.json"];

describe("the text for models", () => {
  it("links each operation to the page that describes it", async () => {
    const response = await create(true).get("/llms.txt");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const text = await response.text();
    const { paths, tags } = JSON.parse(getOpenapiDocument()) as {
      paths: Record<string, Record<string, { summary: string }>>;
      tags: { name: string }[];
    };
    expect(text).toMatch(/^# Parley\n\n> /);
    expect(text).toContain("](/docs/approval-rules#approvalRules.list): ");
    const listed = text.match(/^- \[(?:GET|POST|PUT|PATCH|DELETE) \/.*$/gm) ?? [];
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary }]) => ({
        start: `- [${method.toUpperCase()} ${path}](/docs/`,
        end: `): ${summary}`,
      })),
    );
    expect(listed).toHaveLength(described.length);
    for (const { start, end } of described) {
      expect(
        listed.some((line) => line.startsWith(start) && line.endsWith(end)),
        start,
      ).toBe(true);
    }
    expect(text.match(/^## /gm)).toHaveLength(tags.length);
  });
});

describe.each(PATHS)("%s", (path) => {
  it("is for everybody, and sent again only when it has changed", async () => {
    const { get } = create(true);
    const first = await get(path);
    const etag = first.headers.get("etag") ?? "";
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const again = await get(path, { "if-none-match": etag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("is for those who sign in or have a key, where an operator wants that", async () => {
    const { test, get } = create(false);
    const refused = await get(path, { "if-none-match": "*" });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: "unauthorized" });
    const { key } = await createClient(db, test, { scopes: ["calls:answer"] });
    expect((await get(path, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await get(path, { authorization: "Bearer pk_x" })).status).toBe(401);
    const { cookie } = await signIn(test, await createAccount(db));
    expect((await get(path, { cookie })).status).toBe(200);
  });
});

it.each([
  ["/docs", true],
  ["/docs/chats?x=1", true],
  ["/docs?x", true],
  ["/docsx", false],
  ["/settings", false],
  ["/", false],
])("%s is a page for everybody: %s", (target, expected) => {
  expect(create(true).test.api.pages.isPublic(target)).toBe(expected);
  expect(create(false).test.api.pages.isPublic(target)).toBe(false);
});
