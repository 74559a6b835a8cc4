import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findNamespaceLauncher } from "@/test/namespaces";
import { type Program, startProgram } from "@/test/start-program";
import { lockDirectory } from "./directory-lock";

let directory: string;
const holders: Program[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), "parley-lock-"));
});
afterEach(async () => {
  await Promise.all(holders.splice(0).map((holder) => holder.kill()));
  rmSync(directory, { recursive: true });
});

const startHolder = async (launcher?: string[]): Promise<Program> => {
  const holder = await startProgram("lock-holder", [directory], launcher);
  holders.push(holder);
  await holder.waitForLines(1);
  return holder;
};

describe("lockDirectory", () => {
  it("excludes processes of other network namespaces", async () => {
    const launcher = findNamespaceLauncher(["--net"]);
    const holder = await startHolder(launcher);
    await expect(startHolder(launcher)).rejects.toThrow(
      `The data directory ${directory} is in use by process ${holder.pid}. ` +
        "Stop that process, or set DATABASE_URL to a PostgreSQL server to run several.",
    );
    await expect(lockDirectory(directory, 0)).rejects.toThrow(`by process ${holder.pid}.`);
  });

  it("says which process is in the way, though nobody has set how long to wait", async () => {
    const { pid } = await startHolder();
    await expect(lockDirectory(directory)).rejects.toThrow(`by process ${pid}.`);
  });

  it("is released at once by the death of its holder", async () => {
    for (let round = 0; round < 3; round++) {
      const holder = await startHolder();
      await expect(lockDirectory(directory, 0)).rejects.toThrow("is in use");
      await holder.kill();
      const unlock = await lockDirectory(directory, 0);
      unlock();
    }
  });

  it("is kept by a holder that is suspended", async () => {
    const { pid } = await startHolder();
    process.kill(pid, "SIGSTOP");
    await expect(lockDirectory(directory)).rejects.toThrow(`by process ${pid}.`);
  });

  it("excludes another use in the same process, until it is released", async () => {
    const unlock = await lockDirectory(directory, 0);
    await expect(lockDirectory(directory, 0)).rejects.toThrow(`by process ${process.pid}.`);
    unlock();
    (await lockDirectory(directory, 0))();
  });

  it("waits for a process that is about to release it", async () => {
    const unlock = await lockDirectory(directory, 0);
    const next = lockDirectory(directory, 20_000);
    unlock();
    (await next)();
  });

  it("names the container or the machine of a holder elsewhere", async () => {
    const { pid } = await startHolder();
    const file = path.join(directory, "lock-holder.json");
    const holder = JSON.parse(readFileSync(file, "utf8")) as { bootId: string };
    writeFileSync(file, JSON.stringify({ ...holder, host: "web-2" }));
    const isLinux = existsSync("/proc/sys/kernel/random/boot_id");
    await expect(lockDirectory(directory, 0)).rejects.toThrow(
      `by process ${pid} of the ${isLinux ? "container" : "machine"} web-2.`,
    );
    writeFileSync(file, JSON.stringify({ ...holder, host: "web-2", bootId: "other" }));
    await expect(lockDirectory(directory, 0)).rejects.toThrow(
      `by process ${pid} of the machine web-2.`,
    );
    rmSync(file);
    await expect(lockDirectory(directory, 0)).rejects.toThrow("by another process.");
  });

  it("says why a directory cannot be locked", async () => {
    await expect(lockDirectory(path.join(directory, "missing"), 0)).rejects.toThrow(
      /missing cannot be locked \(unable to open database file\): give this account the right/,
    );
  });
});
