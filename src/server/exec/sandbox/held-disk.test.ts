import { describe, expect, it } from "vitest";
import { HIDDEN_PLACES } from "@/test/hostile-commands";
import type { CommandOutcome, CommandRequest } from "@/test/programs/command-runner";
import { MEGABYTE, pairedVariants, useRunner, useRunnerProgram } from "@/test/sandbox-runner";
import { testUnlinkedFiles } from "@/test/test-unlinked-files";

const program = useRunnerProgram();

describe.each(pairedVariants)("a command in $kind of $account, with $way", (variant) => {
  const { kind, terminal } = variant;
  const runner = useRunner(program, variant);
  const run = (request: CommandRequest): Promise<CommandOutcome> =>
    runner().run({ ...request, terminal });

  it.each(HIDDEN_PLACES)(
    "is ended when it fills the disk in a directory %s",
    async (_where, script) => {
      const { exceeded } = await run({
        script: `(${script}; head -c 200M /dev/zero >&3; sleep 20)`,
        limits: { workspaceBytes: 50 * MEGABYTE },
      });
      expect(exceeded).toBe("workspace");
      await run({ script: "chmod -R u+rwx . ; rm -rf hidden n*" });
    },
  );

  it("is ended when it fills the disk", async () => {
    const { exceeded } = await run({
      script: "for i in $(seq 20); do head -c 200M /dev/zero > f$i; done; sleep 99",
      limits: { workspaceBytes: 50 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await run({ script: "rm -f f*" });
  });

  testUnlinkedFiles(run);

  it("is ended when it fills the disk with empty files", async () => {
    const { exceeded } = await run({
      script: `mkdir many; perl -e 'open(my $file, ">", "many/$_") for 1 .. 30_000'; sleep 60`,
      limits: { workspaceBytes: 20 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await run({ script: "rm -rf many" });
  });

  // Nothing forbids it without a sandbox, where it is counted as all else is.
  if (kind === "none") {
    it("is ended when it reserves disk", async () => {
      const { exceeded } = await run({
        script: "sleep 1; fallocate -l 200M f; while sleep 0.01; do :; done",
        limits: { workspaceBytes: 50 * MEGABYTE },
      });
      expect(exceeded).toBe("workspace");
      await run({ script: "rm -f f" });
    });
  } else {
    it("cannot reserve disk, which would be faster than it is counted", async () => {
      const { exitCode, workspaceBytes } = await run({ script: "fallocate -l 200M f" });
      expect(exitCode).toBe(1);
      expect(workspaceBytes).toBeLessThan(MEGABYTE);
    });
  }

  it("can remove files of a workspace that is over its limit", async () => {
    const { exceeded, exitCode } = await run({
      // What is there when the workspace is first measured, as the command starts, may stay.
      script: "sleep 1; head -c 2M /dev/zero > f && sleep 999",
      limits: { workspaceBytes: 10 },
    });
    expect(exceeded).toBe("workspace");
    expect(exitCode).toBeNull();
    expect(await run({ script: "sleep 0.5; rm f", limits: { workspaceBytes: 10 } })).toMatchObject({
      exitCode: 0,
      exceeded: null,
    });
  });
});
