import { describe, expect, it } from "vitest";
import { createLogger } from "./log";

const logged = (fields: object): Record<string, unknown> => {
  const lines: string[] = [];
  createLogger("info", { write: (line) => lines.push(line) }).info(fields, "said");
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? "") as Record<string, unknown>;
};

describe("the log", () => {
  it("writes the level by name and the time as ISO text", () => {
    const line = logged({ chatId: "c1" });
    expect(line).toMatchObject({ level: "info", msg: "said", chatId: "c1" });
    expect(line.time).toMatch(/^\d{4}-.*Z$/);
  });

  it.each([
    { authorization: "Bearer hush" },
    { headers: { cookie: "session=hush", "x-api-key": "hush" } },
    { request: { headers: { authorization: "Bearer hush", "set-cookie": "hush" } } },
    { settings: { apiKey: "hush", password: "hush", secret: "hush" } },
  ])("takes the secrets out of %o", (fields) => {
    const line = JSON.stringify(logged(fields));
    expect(line).not.toContain("hush");
    expect(line).toContain("[redacted]");
  });

  it("keeps of an error what explains it, and leaves the request that it carries", () => {
    const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const error = Object.assign(new Error("call failed", { cause }), {
      requestBodyValues: { prompt: "hush" },
    });
    const line = logged({ err: error });
    expect(line.err).toMatchObject({
      type: "Error",
      message: "call failed",
      cause: { message: "refused", code: "ECONNREFUSED" },
    });
    expect(JSON.stringify(line)).not.toContain("hush");
  });

  it("writes what is thrown and no Error too", () => {
    expect(logged({ err: "plain text" }).err).toEqual({ type: "string", message: "plain text" });
  });
});
