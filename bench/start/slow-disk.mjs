import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = join(import.meta.dirname, "slow-disk.c");

/**
 * Builds the library that lets each flush of PostgreSQL take a given time, for every account to read.
 *
 * @returns {{ createEnv: (flushMs: number) => Record<string, string>, stop: () => void } | undefined} undefined without `cc`
 */
export const buildSlowDisk = () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-disk-"));
  chmodSync(folder, 0o755);
  const library = join(folder, "slow-disk.so");
  const stop = () => rmSync(folder, { recursive: true, force: true });
  const { status } = spawnSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, SOURCE]);
  if (status !== 0) {
    stop();
    return undefined;
  }
  const createEnv = (flushMs) => ({ LD_PRELOAD: library, FLUSH_US: String(flushMs * 1_000) });
  return { createEnv, stop };
};
