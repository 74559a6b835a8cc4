import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startProgram } from "@/test/start-program";
import { createWorkspaceQuota } from "@/server/tools/workspace/workspace-quota";
import { createCallDirectory } from "./call-directory";
import { removeAbandonedDirectories } from "./own-directory";

let base: string;
beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "parley-calls-"));
  vi.stubEnv("TMPDIR", base);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(base, { recursive: true });
});

const create = () =>
  createCallDirectory({
    sandbox: undefined,
    chatWorkspace: undefined,
    openShare: createWorkspaceQuota(base, 1).open,
  });

it("the directories whose process has ended are removed, and no others", async () => {
  const open = await create();
  const { pid } = spawnSync("true");
  const abandoned = path.join(base, `parley-call-${pid}-12345-Ab12Cd`);
  // The same id, used again by another process.
  const reused = path.join(base, `parley-call-${process.pid}-1-Ab12Cd`);
  const bundles = path.join(base, `parley-recipes-${pid}-12345-Ab12Cd`);
  const foreign = path.join(base, "parley-other");
  for (const directory of [abandoned, reused, bundles, foreign]) {
    await mkdir(path.join(directory, "temp"), { recursive: true });
    await writeFile(path.join(directory, "temp/file"), "text");
  }
  await removeAbandonedDirectories();
  expect([abandoned, reused, bundles, foreign].map((directory) => existsSync(directory))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(existsSync(open.hostPlaces.temp_dir)).toBe(true);
  await open.remove();
  expect(existsSync(open.hostPlaces.temp_dir)).toBe(false);
});

it("the files of a call are gone after its process was killed, and the next one has started", async () => {
  const program = await startProgram("recipe-call", []);
  await program.waitForLines(1);
  const file = program.lines[0] ?? "";
  await removeAbandonedDirectories();
  expect(existsSync(file)).toBe(true);
  await program.kill();
  expect(existsSync(file)).toBe(true);
  await removeAbandonedDirectories();
  expect(await readdir(base)).toEqual([]);
});
