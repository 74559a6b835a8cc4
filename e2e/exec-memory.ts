import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { ExecResult } from "@/contract/exec";
import { lastOutput, useExec } from "./exec-calls";
import { createTestServer } from "./server";

/** What the output of a command may cost the server, however long it is. */
const MAX_MEMORY_GROWTH_MB = 50;
/** For `clear_refs` of a process: its highest resident memory becomes the present one. */
const RESET_PEAK = "5";
/** What the server keeps of an output. */
const MAX_KEPT_BYTES = 12_000_000;
/** Of the longest command. */
const COMMAND_TIMEOUT_SECONDS = 300;

/** @returns the highest resident memory of a process since its last reset, in MB. */
const readPeakMegabytes = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Measures the memory that a server takes while a command writes so much. */
export const expectLittleMemory = async (bytes: number): Promise<void> => {
  const server = await createTestServer();
  const { api } = server;
  const runCommand = async (command: string): Promise<ExecResult | undefined> => {
    const args = { action: "run", command, timeout: COMMAND_TIMEOUT_SECONDS };
    const { id } = await api.createChat({ content: useExec(args) });
    await api.waitForStatus(id, undefined, COMMAND_TIMEOUT_SECONDS * 1_000);
    return lastOutput(api, id);
  };
  try {
    await server.start();
    // The first long output loads code, and touches the buffers that the embedded database has reserved.
    await runCommand(`seq 1 3000000 | head -c ${MAX_KEPT_BYTES}`);
    writeFileSync(`/proc/${server.pid()}/clear_refs`, RESET_PEAK);
    const before = readPeakMegabytes(server.pid());
    const result = await runCommand(`yes | head -c ${bytes}`);
    const growth = readPeakMegabytes(server.pid()) - before;
    expect(result).toMatchObject({ status: "exited", exit_code: 0, truncated: true });
    expect(result?.artifact?.size).toBeGreaterThanOrEqual(Math.min(bytes, MAX_KEPT_BYTES));
    const description = `${Math.round(before)} + ${Math.round(growth)} MB`;
    test.info().annotations.push({ type: "memory", description });
    expect(growth).toBeLessThan(MAX_MEMORY_GROWTH_MB);
  } finally {
    await server.remove();
  }
};
