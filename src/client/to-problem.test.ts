import { describe, expect, it } from "vitest";
import { readProblem } from "./to-problem";

const NOT_FOUND = {
  type: "about:blank",
  title: "Not Found",
  status: 404,
  detail: "There is no such chat.",
  code: "not_found",
  request_id: "r-1",
};

const read = (body: string, status = 404) => readProblem(new Response(body, { status }));

describe("the problem of an error response", () => {
  it("is that of the server", async () => {
    expect(await read(JSON.stringify(NOT_FOUND))).toEqual(NOT_FOUND);
  });

  it.each([
    ["a page of a proxy", "<h1>Bad Gateway</h1>"],
    ["other JSON of a proxy", JSON.stringify({ title: "Bad Gateway", code: 502 })],
    ["a problem of another server", JSON.stringify({ ...NOT_FOUND, code: undefined })],
    ["null", "null"],
  ])("says that the server cannot be reached when the body is %s", async (_what, body) => {
    expect(await read(body, 502)).toMatchObject({ code: "unavailable", status: 502 });
  });
});
