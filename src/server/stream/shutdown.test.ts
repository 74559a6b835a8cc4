import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** A process that serves as `next start` does, one path without an end, and has work to finish. */
const program = `
  import { createServer } from "node:http";
  const { installShutdown, shutdown } = await import(process.argv[1]);
  let database = "open";
  installShutdown({
    drain: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      console.log("drained");
    },
    close: async () => {
      database = "closed";
      console.log("closed");
    },
  });
  const server = createServer((request, response) => {
    if (request.url === "/database") return response.end(database);
    response.write("hello");
    shutdown.signal.addEventListener("abort", () => response.end("bye"));
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

const start = async () => {
  const file = path.resolve("src/server/stream/shutdown.ts");
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, file]);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output, { timeout: 10_000 }).toMatch(/^\d+\n/);
  return {
    child,
    exited: once(child, "exit"),
    port: Number.parseInt(output),
    output: () => output,
  };
};

describe.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("on %s", (signal, code) => {
  it("ends the streams, lets work end, then the process", async () => {
    const { child, exited, port, output } = await start();
    const response = await fetch(`http://127.0.0.1:${port}`);
    child.kill(signal);
    expect(await response.text()).toBe("hellobye");
    expect(await exited).toEqual([code, null]);
    expect(output()).toMatch(/\ndrained\nclosed\n$/);
  });

  it("keeps open until the end what requests need", async () => {
    const { child, exited, port, output } = await start();
    child.kill(signal);
    await expect.poll(output).toContain("drained");
    const answer = await fetch(`http://127.0.0.1:${port}/database`);
    expect(await answer.text()).toBe("open");
    await exited;
    expect(output()).toContain("closed");
  });
});
