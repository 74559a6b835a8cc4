import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { v7 as uuidv7 } from "uuid";
import { expect, it, onTestFinished } from "vitest";
import { SECRET_MASK } from "@/lib/redact-secrets";
import { createPlainProcess } from "@/server/exec/sandbox/plain-process";
import { addSecret } from "@/server/mask-secrets";
import { LARGE_BUDGET } from "@/test/test-budget";
import { createStdioTransport } from "./stdio-transport";

/** Runs a script of the shell as a server. */
const start = async (script: string, network = true) => {
  const { transport, findProblem, describeCircumstances } = createStdioTransport({
    id: uuidv7(),
    sandbox: createPlainProcess(uuidv7),
    budget: LARGE_BUDGET,
    signal: new AbortController().signal,
    argv: ["sh", "-c", script],
    directory: mkdtempSync(path.join(tmpdir(), "parley-mcp-")),
    network,
    env: { PATH: "/usr/bin:/bin" },
  });
  const { promise: closed, resolve } = Promise.withResolvers<undefined>();
  transport.onclose = () => resolve(undefined);
  transport.onmessage = () => undefined;
  await transport.start();
  onTestFinished(() => transport.close());
  return { transport, findProblem, describeCircumstances, closed };
};

it("shows no secret that a program has printed before its end", async () => {
  const secret = "kX9wQ2vT7zB4mR8pL1nG5hJ6";
  addSecret(secret);
  const { findProblem, closed } = await start(`echo "with ${secret}" >&2; exit 3`);
  await closed;
  expect(findProblem()).toBe(`The program has ended with exit code 3. with ${SECRET_MASK}`);
});

it("names the signal that ended a program", async () => {
  const { findProblem, closed } = await start("kill -TERM $$");
  await closed;
  expect(findProblem()).toMatch(/^The program has ended with SIGTERM\./);
});

it("names the setting for programs of the host that a sandbox does not show", async () => {
  const { findProblem, closed } = await start("exec bunx some-server");
  await closed;
  expect(findProblem()).toMatch(
    /exit code 127\. Commands do not see a program bunx\..*PARLEY_EXEC_PATHS/,
  );
});

it("shows no part of a secret where what is shown begins", async () => {
  const secret = "kX9wQ2vT7zB4mR8pL1nG5hJ6123456789";
  addSecret(secret);
  const { findProblem, closed } = await start(`printf %s%01985d ${secret} 0 >&2; exit 3`);
  await closed;
  expect(findProblem()).not.toContain("123456789");
  expect(findProblem()?.length).toBeLessThanOrEqual(1_001);
});

it("is ended when a program does not read what it is sent", async () => {
  const { transport, findProblem, closed } = await start("exec sleep 60");
  const args = { text: "x".repeat(15 * 1024 * 1024) };
  const sent = [1, 2].map((id) =>
    transport.send({ jsonrpc: "2.0", id, method: "tools/call", params: args }),
  );
  const results = await Promise.allSettled(sent);
  await closed;
  expect(results).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  expect(findProblem()).toBe("The program did not read what it was sent, so it was ended.");
});

it("says that a program had no network, with the last whole lines that it wrote", async () => {
  const { findProblem, closed } = await start(
    `seq 1000 >&2; echo "request failed: EAI_AGAIN" >&2; exit 1`,
    false,
  );
  await closed;
  expect(findProblem()).toMatch(
    /^The program has ended with exit code 1\. It had no network, which .* can allow\. \d+\n/,
  );
  expect(findProblem()).toMatch(/\n999\n1000\nrequest failed: EAI_AGAIN$/);
});

it("shows errors that a program wrote to its standard output", async () => {
  const { findProblem, closed } = await start(`echo "no such key"; exit 1`);
  await closed;
  expect(findProblem()).toBe("The program has ended with exit code 1. no such key");
});

it("says what a program wrote that was ended while it was silent, but not that it was ended", async () => {
  const { transport, findProblem, describeCircumstances, closed } = await start(
    `echo '{"jsonrpc":"2.0","method":"ready"}'; echo "downloading" >&2; exec sleep 60`,
    false,
  );
  await expect.poll(describeCircumstances).toMatch(/^It had no network,.* downloading$/);
  await transport.close();
  await closed;
  expect(findProblem()).toBeUndefined();
});

it("names the limit that a program was over", async () => {
  const { findProblem, closed } = await start("for i in $(seq 400); do sleep 60 & done; wait");
  await closed;
  expect(findProblem()).toBe("The program started too many processes, so it was ended.");
});
