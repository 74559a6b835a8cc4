import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { readProcessTable } from "./process-table";
import { createDiskMeter } from "./tree-usage";

const MEGABYTE = 1024 * 1024;

it("takes a workspace that cannot be measured for full", async () => {
  const directory = mkdtempSync("/var/tmp/parley-disk-meter-");
  try {
    const measureWorkspace = () => Promise.reject(new Error("too many open files"));
    const measure = createDiskMeter(
      { workspace: directory, measureWorkspace, isolated: false },
      MEGABYTE,
    );
    expect(await measure([])).toBeGreaterThan(0);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it("counts what a command writes while others free as much of the disk", async () => {
  // Not in memory, as a temporary directory may be: only what is written to a disk is counted.
  const directory = mkdtempSync("/var/tmp/parley-disk-meter-");
  const file = path.join(directory, "written");
  const other = path.join(directory, "other");
  writeFileSync(other, Buffer.alloc(64 * MEGABYTE, 1));
  writeFileSync(file, "");
  const command = spawn("sh", [
    "-c",
    `read start; head -c ${8 * MEGABYTE} /dev/zero > ${file}; echo; read end`,
  ]);
  try {
    const rows = () => [...readProcessTable().values()].filter(({ pid }) => pid === command.pid);
    const measureWorkspace = () => Promise.resolve(statSync(file).size);
    const measure = createDiskMeter(
      { workspace: directory, measureWorkspace, isolated: false },
      MEGABYTE,
    );
    expect(await measure(rows())).toBeLessThanOrEqual(0);
    command.stdin.write("\n");
    await once(command.stdout, "data");
    rmSync(other);
    expect(await measure(rows())).toBe(7 * MEGABYTE);
  } finally {
    command.stdin.end();
    await once(command, "exit");
    rmSync(directory, { recursive: true });
  }
});
