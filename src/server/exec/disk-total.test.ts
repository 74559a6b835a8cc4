import { existsSync } from "node:fs";
import { v7 as uuidv7 } from "uuid";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ExecResult } from "@/contract/exec";
import { createExecFixture, type ExecFixture } from "@/test/exec-fixture";
import { HANGING } from "@/test/hanging";
import { MAX_OVERRUN_BYTES } from "@/server/tools/workspace/tracked-disk";
import { measureUsage } from "@/server/tools/workspace/workspace-usage";
import { findSandbox } from "./sandbox/find-sandbox";

const MEGABYTE = 1024 * 1024;
const kinds = existsSync("/usr/bin/bwrap")
  ? (["bubblewrap", "unshare"] as const)
  : (["unshare"] as const);

let fixture: ExecFixture | undefined;
afterEach(() => fixture?.sessions.endAll());

const createFixture = async (kind: (typeof kinds)[number], maxMegabytes: number) => {
  const { sandbox, failures } = await findSandbox(kind, { privateDirectories: [] });
  if (!sandbox) throw new Error(JSON.stringify(failures));
  return (fixture = await createExecFixture({ sandbox, maxMegabytes }));
};

const NAMED = "head -c 60M /dev/zero >file";
const UNLINKED = "exec 3>file; rm file; head -c 60M /dev/zero >&3";
const EMPTY = `mkdir many; perl -e 'open(my $file, ">", "many/$_") for 1 .. 12_000'`;
const SMALL = `mkdir many; perl -e 'for (1 .. 3_000) { open(my $file, ">", "many/$_"); print $file 1 }'`;
/** Keeps what it has until it is ended. */
const hold = (script: string): string => `${script}; sync -f . 2>/dev/null; echo written; sleep 60`;

const describeEnd = ({ output, status }: ExecResult): string =>
  status === "killed" && output.includes("all chats together") ? "ended" : "goes on";

describe.each(kinds)("all workspaces together, by commands in %s", (kind) => {
  const startFour = async (exec: ExecFixture["exec"], script: string) => {
    const start = async () => {
      const chatId = uuidv7();
      const args = { action: "run", command: hold(script), background: true };
      const { session_id: id = "" } = await exec(args, { chatId });
      let output = "";
      return async (): Promise<ExecResult> => {
        const read = await exec({ action: "read", session_id: id }, { chatId });
        output += read.output;
        return { ...read, output };
      };
    };
    return Promise.all(Array.from({ length: 4 }, start));
  };

  it.each([
    ["files", 150, NAMED],
    ["empty files", 30, EMPTY],
    ["files of one byte", 37, SMALL],
  ])("take no more %s when they are full", async (_, maxMegabytes, script) => {
    const { exec, workspaces } = await createFixture(kind, maxMegabytes);
    const reads = await startFour(exec, script);
    await vi.waitFor(async () => {
      for (const read of reads) expect((await read()).output).toMatch(/written|all chats together/);
    }, HANGING);
    // Polls count files without bytes after 5 s or, on a busy machine, later.
    await workspaces.quota.measure();
    const next = await exec({ action: "run", command: hold(script) }, { chatId: uuidv7() });
    expect(describeEnd(next)).toBe("ended");
    const { diskBytes } = await measureUsage(workspaces.directory);
    expect(diskBytes).toBeLessThan(2.5 * maxMegabytes * MEGABYTE);
  });

  it("hold no more files without a name than they may", async () => {
    const { exec } = await createFixture(kind, 150);
    const reads = await startFour(exec, UNLINKED);
    await vi.waitFor(async () => {
      const ends = (await Promise.all(reads.map((read) => read()))).map(describeEnd);
      expect(ends.filter((end) => end === "goes on").length).toBeLessThanOrEqual(2);
    }, HANGING);
  });

  it("let commands read and remove when they are full, and write again after that", async () => {
    const { exec } = await createFixture(kind, 100);
    const [full, other] = [uuidv7(), uuidv7()];
    const fill = await exec(
      { action: "run", command: hold("head -c 150M /dev/zero >file") },
      { chatId: full },
    );
    expect(describeEnd(fill)).toBe("ended");
    const read = await exec({ action: "run", command: "sleep 1; ls" }, { chatId: other });
    expect(read.status).toBe("exited");
    const write = { action: "run", command: hold("head -c 20M /dev/zero >file") };
    expect(describeEnd(await exec(write, { chatId: other }))).toBe("ended");
    const removed = await exec(
      { action: "run", command: "rm file; sleep 0.5; ls" },
      { chatId: full },
    );
    expect(removed).toMatchObject({ status: "exited", exit_code: 0 });
    const again = { action: "run", command: "rm file; head -c 20M /dev/zero >file; sleep 0.5" };
    await vi.waitFor(
      async () => expect((await exec(again, { chatId: other })).status).toBe("exited"),
      HANGING,
    );
  });

  it("do not end a command that has written before another one has filled them", async () => {
    const { exec } = await createFixture(kind, 100);
    const [first, second] = [uuidv7(), uuidv7()];
    const args = { action: "run", command: hold("head -c 10M /dev/zero >file"), background: true };
    const { session_id: id } = await exec(args, { chatId: first });
    const read = () => exec({ action: "read", session_id: id ?? "" }, { chatId: first });
    await vi.waitFor(async () => expect((await read()).output).toContain("written"), HANGING);
    // Time for a poll that sees it.
    await exec({ action: "run", command: "sleep 1" }, { chatId: first });
    const fill = { action: "run", command: hold("head -c 150M /dev/zero >file") };
    // A busy disk takes longer than a command may before it goes on in the background.
    const { session_id: filling, ...filled } = await exec(fill, { chatId: second });
    let { output, status } = filled;
    await vi.waitFor(async () => {
      if (filling !== undefined && status === "running") {
        const more = await exec({ action: "read", session_id: filling }, { chatId: second });
        ({ status } = more);
        output += more.output;
      }
      expect(describeEnd({ ...filled, output, status })).toBe("ended");
    }, HANGING);
    await exec({ action: "run", command: "sleep 1" }, { chatId: second });
    expect((await read()).status).toBe("running");
  });

  it("grow by no more than one command may, however many are ended for it", async () => {
    const { call, exec, workspaces } = await createFixture(kind, 10_000);
    const chatId = uuidv7();
    const run = (command: string) => call({ action: "run", command }, { chatId });
    const fill = "head -c 600M /dev/zero >>$RANDOM; head -c 600M /dev/zero >>$RANDOM";
    await vi.waitFor(
      async () => expect((await run(fill)).output).toMatch(/^The files of this chat take/),
      HANGING,
    );
    const { diskBytes } = await measureUsage(workspaces.directory);
    // A fast disk takes both files before the first look at them.
    expect(diskBytes).toBeLessThan((256 + 2 * 256) * MEGABYTE + MAX_OVERRUN_BYTES);
    const open = await exec({ action: "run", command: "echo ok" }, { chatId: uuidv7() });
    expect(open.output).toBe("ok\n");
  });

  it("grow no more by chats whose commands are ended, one after the other", async () => {
    const { call, workspaces } = await createFixture(kind, 10);
    const fill = { action: "run", command: "head -c 200M /dev/zero >file; sleep 60" };
    await vi.waitFor(
      async () => expect((await call(fill)).output).toMatch(/^The files of all chats together/),
      HANGING,
    );
    const { diskBytes } = await measureUsage(workspaces.directory);
    expect(diskBytes).toBeLessThan((10 + 200) * MEGABYTE + MAX_OVERRUN_BYTES);
  });

  it("hold what all commands of one chat have together, with a name or without", async () => {
    const { exec } = await createFixture(kind, 10_000);
    const chatId = uuidv7();
    const holder = (name: number) => hold(`exec 3>${name}; rm ${name}; head -c 110M /dev/zero >&3`);
    const start = (name: number) =>
      exec({ action: "run", command: holder(name), background: true }, { chatId });
    const ids = (await Promise.all([1, 2, 3].map(start))).map(
      (started) => started.session_id ?? "",
    );
    await vi.waitFor(async () => {
      const read = (id: string) => exec({ action: "read", session_id: id }, { chatId });
      const outputs = (await Promise.all(ids.map(read))).map(({ output }) => output);
      expect(outputs.join("\n")).toContain("filled the workspace");
    }, HANGING);
  });
});
