import { describe, expect, it } from "vitest";
import { listProcesses } from "@/test/list-processes";
import {
  allRows,
  endRunner,
  sandboxRows,
  startRunner,
  useRunner,
  useRunnerProgram,
} from "@/test/sandbox-runner";

/** A server that was started with open files, ignored signals and private new files. */
const CARELESS = [
  "bash",
  "-c",
  `exec 77</ 88</etc/passwd; trap '' USR1 USR2 HUP PIPE; umask 077; exec "$@"`,
  "bash",
];
const STANDARD_FILES = ["0", "1", "2"];

const program = useRunnerProgram();

describe.each(allRows)("a command in $kind of $account", ({ kind, launcher }) => {
  const runner = useRunner(program, { kind, launcher: [...CARELESS, ...launcher] });

  describe.each([
    { where: "with pipes", options: {} },
    { where: "in a terminal", options: { terminal: true } },
    { where: "with the network", options: { network: true } },
  ])("$where", ({ options }) => {
    const run = async (script: string): Promise<string[]> => {
      const { output } = await runner().run({ ...options, script });
      return output.trim().split(/\r?\n/);
    };

    it("inherits no file", async () => {
      expect(
        await run("cd /proc/self/fd; for file in *; do [ -e $file ] && echo $file; done"),
      ).toEqual(STANDARD_FILES);
    });

    if (kind === "none") return;

    it("inherits no ignored or blocked signal and no rights of new files, and ends before the server", async () => {
      const script = `grep -E '^Sig(Ign|Blk)' /proc/self/status | tr -d '\\t'; umask; cat /proc/self/oom_score_adj`;
      const none = "0".repeat(16);
      expect(await run(script)).toEqual([`SigBlk:${none}`, `SigIgn:${none}`, "0022", "1000"]);
    });

    it("cannot look into or stop what holds it", async () => {
      const script = `ls /proc/1/fd /proc/1/cwd/ 2>/dev/null; kill -STOP 1; perl -e 'print syscall(101, 16, 1, 0, 0)'; kill -0 1 && echo " ran on"`;
      expect(await run(script)).toEqual(["-1 ran on"]);
    });

    it("finds no path of the host in what the kernel tells", async () => {
      const { dataDir } = await runner().state();
      const files = "{mountinfo,mounts,mountstats,cmdline,cgroup,maps,environ}";
      const output = await run(
        `unset DATA SERVER; exec env -i bash -c 'for f in /proc/[1-9]*/${files} /proc/mounts /proc/swaps; do [ $f = /proc/$PPID/environ ] || tr "\\0" "\\n" < $f; done; readlink /proc/*/{cwd,root,exe,fd/*}; echo end' 2>/dev/null`,
      );
      expect(output.at(-1)).toBe("end");
      expect(output.join("\n")).not.toMatch(new RegExp(`${dataDir}|workspaces/one`));
      expect(output).toContain("0::/");
    });

    it("gets no mount from the kernel", async () => {
      const script = `perl -e 'print join " ", map { syscall($_, my $request = pack("LLQQ", 24, 0, -1, 0), my $answer = " " x 512, 64, 0) } 457, 458'; df -P . 2>/dev/null | wc -l`;
      expect(await run(script)).toEqual(["-1 -12"]);
    });
  });
});

it("leaves no path of a workspace in the list of the machine's processes", async () => {
  const { kind, launcher } = sandboxRows[0] ?? { kind: "unshare", launcher: [] };
  const runner = await startRunner([...launcher, ...program().command, kind], program().directory);
  const { dataDir } = await runner.state();
  const mark = `33${process.pid}`;
  const running = runner.run({ script: `sleep ${mark}`, timeoutMs: 1_000 });
  const list = () => listProcesses("-eo", "args").join("\n");
  await expect.poll(list).toContain(`sleep ${mark}`);
  expect(list()).not.toContain(`${dataDir}/`);
  await running;
  await endRunner(runner);
});
