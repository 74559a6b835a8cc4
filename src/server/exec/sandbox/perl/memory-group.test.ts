import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runPerl } from "@/test/run-perl";
import memoryGroup from "./memory-group.pl?raw";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "parley-group-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Starts a process that prints a line, and ends with its exit code. */
const run = (group: string) =>
  runPerl({
    files: [memoryGroup],
    script: `my $child = fork_in_group(${group});
      if ($child == 0) { syswrite STDOUT, "started\\n"; exit 3 }
      waitpid $child, 0;
      exit $? >> 8;`,
    env: { GROUP: path.join(directory, "group"), OTHER: path.join(directory, "none/group") },
  });
const STARTED = { exitCode: 3, stdout: "started\n", stderr: "" };

it("makes the group and sets its limits, then puts the process into it", async () => {
  expect(await run(`"$ENV{GROUP}\\nmemory.max=4096\\nmemory.swap.max=0"`)).toMatchObject(STARTED);
  const files = (await readdir(path.join(directory, "group"))).toSorted();
  expect(files).toEqual(["cgroup.procs", "memory.max", "memory.swap.max"]);
  const texts = files.map((name) => readFile(path.join(directory, "group", name), "utf8"));
  expect(await Promise.all(texts)).toEqual(["0", "4096", "0"]);
});

it.each([
  ["has none", "undef"],
  ["cannot have one", `"$ENV{OTHER}\\nmemory.max=4096"`],
])("starts a process that %s", async (_, group) => {
  expect(await run(group)).toMatchObject(STARTED);
  expect(await readdir(directory)).toEqual([]);
});

it("changes no group that somebody else has made", async () => {
  await writeFile(path.join(directory, "group"), "");
  expect(await run(`"$ENV{GROUP}\\nmemory.max=4096"`)).toMatchObject(STARTED);
  expect(await readFile(path.join(directory, "group"), "utf8")).toBe("");
});
