import { chmod, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { removeTree } from "@/server/tools/workspace/remove-tree";
import { HANGING } from "@/test/hanging";
import { type RipgrepMatch, runRipgrep } from "./ripgrep";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-ripgrep-"));
});
afterEach(() => removeTree(directory));

/** Creates a program that takes ripgrep's place, and prints its process id and its environment to files. */
const createProgram = async (script: string): Promise<string> => {
  const path = join(directory, "program");
  await writeFile(path, `#!/bin/sh\necho $$ > pid\nenv > env\n${script}\n`);
  await chmod(path, 0o700);
  return path;
};

const collect = async (program: string, signal: AbortSignal): Promise<RipgrepMatch[]> => {
  const matches: RipgrepMatch[] = [];
  const run = { args: ["x"], cwd: directory, signal };
  for await (const match of runRipgrep(program, run)) matches.push(match);
  return matches;
};

/** The environment is written after the process id. */
const readPid = async (): Promise<number> => {
  await vi.waitFor(() => readFile(join(directory, "env")), HANGING);
  return Number(await readFile(join(directory, "pid"), "utf8"));
};

it("kills the program when it is aborted, and waits for its end", async () => {
  const controller = new AbortController();
  const collecting = collect(await createProgram("exec sleep 1000"), controller.signal);
  const pid = await readPid();
  controller.abort();
  expect(await collecting).toEqual([]);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

it("starts nothing when it is aborted before", async () => {
  const program = await createProgram("");
  expect(await collect(program, AbortSignal.abort())).toEqual([]);
  // The program is not even looked for.
  expect(await collect(join(directory, "none"), AbortSignal.abort())).toEqual([]);
  expect(await readdir(directory)).toEqual(["program"]);
});

it("kills the program when no more matches are wanted", async () => {
  const line = JSON.stringify({
    type: "match",
    data: {
      path: { text: "./a" },
      lines: { text: "x\n" },
      line_number: 1,
      absolute_offset: 0,
      submatches: [{ start: 0, end: 1 }],
    },
  });
  const program = await createProgram(`while :; do printf '%s\\n' '${line}'; done`);
  const { signal } = new AbortController();
  let count = 0;
  for await (const match of runRipgrep(program, { args: [], cwd: directory, signal })) {
    expect(match).toMatchObject({ path: "./a", line: 1, position: 0, start: 0 });
    if (++count === 10) break;
  }
  const pid = await readPid();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

it("gives the program nothing of the server's environment", async () => {
  vi.stubEnv("PARLEY_TEST_SECRET", "secret");
  await collect(await createProgram(""), new AbortController().signal);
  vi.unstubAllEnvs();
  // The shell sets these itself.
  const names = (await readFile(join(directory, "env"), "utf8")).match(/^\w+(?==)/gm) ?? [];
  expect(["PWD", "OLDPWD", "SHLVL", "_"]).toEqual(expect.arrayContaining(names));
});

it("rejects when the program cannot be started", async () => {
  const starting = collect(join(directory, "none"), new AbortController().signal);
  await expect(starting).rejects.toThrow("ENOENT");
});
