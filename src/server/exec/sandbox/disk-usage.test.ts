import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { measureUsage } from "@/server/tools/workspace/workspace-usage";
import { readProcessTable } from "./process-table";
import { trackAlone } from "@/server/tools/workspace/tracked-disk";
import { createDiskMeter } from "./disk-usage";

const MEGABYTE = 1024 * 1024;

it("takes a workspace that cannot be measured for full", async () => {
  const directory = mkdtempSync("/var/tmp/parley-disk-meter-");
  try {
    const measureWorkspace = () => Promise.reject(new Error("too many open files"));
    const measure = createDiskMeter(
      { workspace: directory, measureWorkspace, disk: trackAlone(), isolated: false },
      MEGABYTE,
    );
    expect(await measure([])).toMatchObject({ exceeded: "workspace" });
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it("does not count what others write, at the start or later", async () => {
  const directory = mkdtempSync("/var/tmp/parley-disk-meter-");
  try {
    const options = {
      workspace: directory,
      measureWorkspace: () => Promise.resolve(0),
      disk: trackAlone(),
      isolated: false,
    };
    const measure = createDiskMeter(options, MEGABYTE);
    for (const name of ["one", "two"]) {
      writeFileSync(path.join(directory, name), Buffer.alloc(16 * MEGABYTE, 1));
      expect(await measure([])).not.toHaveProperty("exceeded");
    }
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
      { workspace: directory, measureWorkspace, disk: trackAlone(), isolated: false },
      MEGABYTE,
    );
    expect(await measure(rows())).not.toHaveProperty("exceeded");
    command.stdin.write("\n");
    await once(command.stdout, "data");
    rmSync(other);
    expect(await measure(rows())).toEqual({ over: 7 * MEGABYTE, exceeded: "workspace" });
  } finally {
    command.stdin.end();
    await once(command, "exit");
    rmSync(directory, { recursive: true });
  }
});

it("counts the entries that a command makes while others remove as many", async () => {
  const directory = mkdtempSync("/var/tmp/parley-disk-meter-");
  const [made, other] = [path.join(directory, "made"), path.join(directory, "other")];
  const make = (place: string) => [
    "-e",
    `$| = 1; mkdir $ARGV[0]; for my $round (1 .. 20) { open(my $file, ">", "$ARGV[0]/$_") for 1 .. 3_000 } print "made\\n"; <STDIN>`,
    place,
  ];
  const removed = spawn("perl", make(other));
  await once(removed.stdout, "data");
  const real = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
  const command = spawn("sh", ["-c", 'read start; exec perl "$@"', "sh", ...make(made)]);
  try {
    const rows = () => [...readProcessTable().values()].filter(({ pid }) => pid === command.pid);
    const measureWorkspace = async () => (await measureUsage(made)).diskBytes;
    const options = { workspace: directory, measureWorkspace, disk: trackAlone(), isolated: false };
    const measure = createDiskMeter(options, MEGABYTE);
    expect(await measure(rows())).not.toHaveProperty("exceeded");
    command.stdin.write("\n");
    await once(command.stdout, "data");
    rmSync(other, { recursive: true });
    ahead = 10_000;
    expect(await measure(rows())).toMatchObject({ exceeded: "workspace" });
  } finally {
    vi.restoreAllMocks();
    for (const child of [command, removed]) {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    }
    rmSync(directory, { recursive: true });
  }
});

it("counts what a command has written before the first look, while others free as much", async () => {
  const directory = mkdtempSync("/var/tmp/parley-disk-meter-");
  const file = path.join(directory, "written");
  const other = path.join(directory, "other");
  writeFileSync(other, Buffer.alloc(64 * MEGABYTE, 1));
  const command = spawn("sh", [
    "-c",
    `read start; head -c ${8 * MEGABYTE} /dev/zero > ${file}; echo; read end`,
  ]);
  try {
    const rows = () => [...readProcessTable().values()].filter(({ pid }) => pid === command.pid);
    const disk = {
      ...trackAlone(),
      sizeAtStart: 0,
      sizes: () => ({ workspaceBytes: 0, roomInAll: -1 }),
      isFull: () => true,
    };
    const measureWorkspace = () => Promise.resolve(statSync(file).size);
    const options = { workspace: directory, measureWorkspace, disk, isolated: false };
    const measure = createDiskMeter(options, 100 * MEGABYTE);
    command.stdin.write("\n");
    await once(command.stdout, "data");
    rmSync(other);
    expect(await measure(rows())).not.toHaveProperty("exceeded");
    expect(await measure(rows())).toMatchObject({ exceeded: "workspaces" });
  } finally {
    command.stdin.end();
    await once(command, "exit");
    rmSync(directory, { recursive: true });
  }
});
