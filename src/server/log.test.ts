import { describe, expect, it } from "vitest";
import { createLogger } from "./log";

const logFields = (fields: object): Record<string, unknown> => {
  const lines: string[] = [];
  createLogger("info", { write: (line) => lines.push(line) }).info(fields, "test event");
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? "") as Record<string, unknown>;
};

describe("createLogger", () => {
  it("writes the level by name and the time as ISO text", () => {
    const line = logFields({ chatId: "c1" });
    expect(line).toMatchObject({ level: "info", msg: "test event", chatId: "c1" });
    expect(line.time).toMatch(/^\d{4}-.*Z$/);
  });

  it.each([
    { authorization: "Bearer hush" },
    { headers: { cookie: "session=hush", "x-api-key": "hush" } },
    { request: { headers: { authorization: "Bearer hush", "set-cookie": "hush" } } },
    { settings: { apiKey: "hush", password: "hush", secret: "hush" } },
  ])("redacts the secrets in %o", (fields) => {
    const line = JSON.stringify(logFields(fields));
    expect(line).not.toContain("hush");
    expect(line).toContain("[redacted]");
  });

  it("logs what explains an error, without the request that it contains", () => {
    const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const error = Object.assign(new Error("call failed", { cause }), {
      requestBodyValues: { prompt: "hush" },
    });
    const line = logFields({ err: error });
    expect(line.err).toMatchObject({
      type: "Error",
      message: "call failed",
      cause: { message: "refused", code: "ECONNREFUSED" },
    });
    expect(JSON.stringify(line)).not.toContain("hush");
  });

  it("logs a thrown value that is not an Error", () => {
    expect(logFields({ err: "plain text" }).err).toEqual({ type: "string", message: "plain text" });
  });
});
