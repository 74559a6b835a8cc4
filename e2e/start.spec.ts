import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { createTestServer } from "./server";

test("a server with an invalid setting exits and prints what to do", async () => {
  const server = await createTestServer({ settings: { PARLEY_MODELS: "demo/demo,nonsense" } });
  try {
    await expect(server.start()).rejects.toThrow(/the server exited while starting/);
    const output = server.output();
    expect(output).toContain(
      'Parley cannot start. PARLEY_MODELS has "nonsense": write each model as',
    );
    expect(output).not.toContain("    at ");
  } finally {
    await server.remove();
  }
});

/** @returns the process that this one started, undefined if there is none. */
const readChildId = (processId: number): number | undefined => {
  const path = `/proc/${processId}/task/${processId}/children`;
  return Number(readFileSync(path, "utf8").split(" ")[0]) || undefined;
};

/** npm, its shell, the start script and the server each start the next one. */
const KILLED = [
  { name: "npm", depth: 0 },
  { name: "the start script", depth: 2 },
];

for (const { name, depth } of KILLED) {
  test(`the server ends after ${name} was killed`, async () => {
    const server = await createTestServer();
    let npm: ChildProcess | undefined;
    try {
      npm = spawn("npm", ["start"], { env: { ...process.env, ...server.env }, stdio: "ignore" });
      const exited = once(npm, "exit");
      const isUp = () =>
        fetch(`${server.url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(isUp).toBe(true);
      let killedId = npm.pid ?? 0;
      for (let level = 0; level < depth; level += 1) killedId = readChildId(killedId) ?? 0;
      process.kill(killedId, "SIGKILL");
      await expect.poll(isUp).toBe(false);
      await exited;
    } finally {
      npm?.kill();
      await server.remove();
    }
  });
}
