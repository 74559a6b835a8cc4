import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { HANG_MS } from "./limits";
import { createTestServer, type TestServer } from "./server";

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

const isUp = ({ url }: TestServer) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts the server by `npm start`, in a process group of its own. */
const startByNpm = async (server: TestServer): Promise<ChildProcess> => {
  const env = { ...process.env, ...server.env };
  const npm = spawn("npm", ["start"], { env, stdio: "ignore", detached: true });
  await expect.poll(() => isUp(server)).toBe(true);
  return npm;
};

test("a signal to the whole process group lets a running step end", async () => {
  const server = await createTestServer();
  let npm: ChildProcess | undefined;
  try {
    npm = await startByNpm(server);
    const { id } = await server.api.createChat({ content: "slow 40 ms story" });
    // A turn that has been claimed may not have begun its step.
    for await (const { type } of server.api.stream(id, 0, AbortSignal.timeout(HANG_MS))) {
      if (type === "preview") break;
    }
    process.kill(-Number(npm.pid), "SIGTERM");
    await expect.poll(() => isUp(server)).toBe(false);
    await server.start();
    const { messages } = await server.api.history(id);
    const [, answer] = messages;
    expect(answer?.parts).toEqual([
      expect.objectContaining({
        type: "text",
        text: expect.stringMatching(/The end\.$/),
      }),
    ]);
  } finally {
    npm?.kill();
    await server.remove();
  }
});

for (const { name, depth } of KILLED) {
  test(`the server ends after ${name} was killed`, async () => {
    const server = await createTestServer();
    let npm: ChildProcess | undefined;
    try {
      npm = await startByNpm(server);
      const exited = once(npm, "exit");
      let killedId = npm.pid ?? 0;
      for (let level = 0; level < depth; level += 1) killedId = readChildId(killedId) ?? 0;
      process.kill(killedId, "SIGKILL");
      await expect.poll(() => isUp(server)).toBe(false);
      await exited;
    } finally {
      npm?.kill();
      await server.remove();
    }
  });
}
