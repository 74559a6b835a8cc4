import { describe, expect, it } from "vitest";
import { MEMORY_ATTACKS, SANDBOX_MEMORY_ATTACKS } from "@/test/hostile-commands";
import type { CommandOutcome, CommandRequest } from "@/test/programs/command-runner";
import {
  MEGABYTE,
  pairedVariants,
  sandboxRows,
  useRunner,
  useRunnerProgram,
} from "@/test/sandbox-runner";

const program = useRunnerProgram();

describe.each(pairedVariants)("a command in $kind of $account, with $way", (variant) => {
  const { kind, account, terminal } = variant;
  const runner = useRunner(program, variant);
  const run = (request: CommandRequest): Promise<CommandOutcome> =>
    runner().run({ ...request, terminal });

  it("is ended when its processes together use too much memory", async () => {
    const { exceeded, output } = await run({
      script: `for i in 1 2 3 4; do perl -e '$x = "a" x 150_000_000; print "full\\n"; sleep 99' & done; wait`,
      limits: { memoryBytes: 300 * MEGABYTE },
    });
    expect(exceeded).toBe("memory");
    expect(output.split("full").length - 1).toBeLessThan(4);
  });

  const attacks = kind === "none" ? MEMORY_ATTACKS : [...MEMORY_ATTACKS, ...SANDBOX_MEMORY_ATTACKS];
  it.each(attacks)("is ended when it uses too much memory by %s", async (_how, script) => {
    const { exceeded } = await run({ script, limits: { memoryBytes: 120 * MEGABYTE } });
    expect(exceeded).toBe("memory");
  });

  it("may have files, sockets and processes that hold little", async () => {
    const script = `perl -e 'use Socket; for (1 .. 20) { next if fork;
      for (1 .. 10) { socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or die; push @all, $one, $other }
      for (1 .. 200) { open(my $file, "<", "/etc/hosts") or die; push @all, $file } sleep 1; exit } 1 while wait > 0; print "done"'`;
    const limits = { memoryBytes: 256 * MEGABYTE };
    expect(await run({ script, limits })).toMatchObject({
      exceeded: null,
      output: "done",
    });
  });

  // Once is enough: what the server reads does not depend on how it came.
  if (account !== "root" && kind === sandboxRows[0]?.kind) {
    it("writes 200 MB through the server without filling its memory", async () => {
      // What the server reads for the first time takes memory once.
      const first = await run({ script: "head -c 100M /dev/zero" });
      const { bytes, memoryPeak } = await run({ script: "yes | head -c 200M" });
      // A terminal ends lines with two characters.
      expect(bytes).toBeGreaterThanOrEqual(200 * MEGABYTE);
      expect(memoryPeak - first.memoryPeak).toBeLessThan(50 * MEGABYTE);
    });
  }
});
