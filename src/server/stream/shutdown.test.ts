import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleTestProgram } from "@/test/start-program";

let program: string;

beforeAll(async () => {
  program = await bundleTestProgram("drained-server");
});

/** Starts servers as `npm start` does: by a script that forwards signals. It says when it has. */
const LAUNCHER = `
  import { runServer } from "./scripts/run-program.mjs";
  for (const signal of ["SIGTERM", "SIGINT"])
    process.on(signal, () => setImmediate(() => console.log("forwarded")));
  process.exitCode = await runServer(process.execPath, [process.argv[1]]);
`;

/** @param launcher what starts the program, in a process group of its own. */
const start = async (launcher: readonly string[] = []) => {
  const child = spawn(process.execPath, [...launcher, program], { detached: true });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toMatch(/^\d+\n/);
  return {
    child,
    exited: once(child, "exit"),
    url: `http://127.0.0.1:${Number.parseInt(output)}`,
    output: () => output,
  };
};

describe.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("on %s", (signal, code) => {
  it("ends the streams, lets work end, then the process", async () => {
    const { child, exited, url, output } = await start();
    const response = await fetch(url);
    child.kill(signal);
    expect(await response.text()).toBe("hellobye");
    child.stdin.write("end");
    expect(await exited).toEqual([code, null]);
    expect(output()).toMatch(/\ndrained\nclosed\n$/);
  });

  it("keeps what requests need open until the end", async () => {
    const { child, exited, url, output } = await start();
    const database = async (): Promise<string> => (await fetch(`${url}/database`)).text();
    child.kill(signal);
    expect(await database()).toBe("open");
    child.stdin.write("end");
    await expect.poll(output).toContain("drained");
    expect(await database()).toBe("open");
    await exited;
    expect(output()).toContain("closed");
  });

  it("ends the process at once at a later signal", async () => {
    const { child, exited, output } = await start();
    await expect.poll(() => (child.kill(signal) ? undefined : child.exitCode)).toBe(code);
    await exited;
    expect(output()).not.toContain("closed");
  });

  it("closes it when the work fails", async () => {
    const { child, exited, output } = await start();
    child.kill(signal);
    child.stdin.write("fail");
    expect(await exited).toEqual([code, null]);
    expect(output()).toContain("closed");
  });
});

it.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)(
  "a %s to the whole process group, which its script forwards too, is one",
  async (signal, code) => {
    const { child, exited, output } = await start(["--input-type=module", "--eval", LAUNCHER]);
    process.kill(-Number(child.pid), signal);
    // A process that has not handled a signal yet gets no second one of the kind.
    await expect.poll(output).toMatch(/signaled\n/);
    await expect.poll(output).toMatch(/forwarded\n/);
    child.stdin.write("end");
    expect(await exited).toEqual([code, null]);
    expect(output()).toMatch(/\ndrained\nclosed\n$/);
  },
);
