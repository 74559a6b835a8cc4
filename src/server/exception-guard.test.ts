import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { bundleTestProgram } from "@/test/start-program";

const runFailing = async (way: string) => {
  const child = spawn(process.execPath, [await bundleTestProgram("failing-process"), way], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode === null ? once(child, "exit") : undefined,
  ]);
  return { code: child.exitCode, lines: output.trim().split("\n"), errors };
};

it.each(["throw", "event", "value"])(
  "logs one line and ends the process with the code 70: %s",
  async (way) => {
    const { code, lines, errors } = await runFailing(way);
    expect({ code, errors }).toEqual({ code: 70, errors: "" });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "fatal",
      msg: "an exception was not caught, so the process ends",
      err: { message: "first" },
    });
  },
);

it("logs a rejection that nobody handles, and goes on", async () => {
  const { code, lines, errors } = await runFailing("reject");
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", err: { message: "first" } });
  expect(lines[1]).toBe("goes on");
});
