import { describe, expect, it } from "vitest";
import { HIDDEN_PLACES, MEMORY_ATTACKS, SANDBOX_MEMORY_ATTACKS } from "@/test/hostile-commands";
import type { CommandOutcome, CommandRequest } from "@/test/programs/command-runner";
import {
  allVariants,
  MEGABYTE,
  pairedVariants,
  useRunner,
  useRunnerProgram,
} from "@/test/sandbox-runner";
import { testUnlinkedFiles } from "@/test/test-unlinked-files";

const program = useRunnerProgram();
/** `npm test` takes the others. */
const variants = allVariants.filter((variant) => !pairedVariants.includes(variant));

describe.each(variants)("a command in $kind of $account, with $way", (variant) => {
  const { kind, terminal } = variant;
  const runner = useRunner(program, variant);
  const run = (request: CommandRequest): Promise<CommandOutcome> =>
    runner().run({ ...request, terminal });

  const attacks = kind === "none" ? MEMORY_ATTACKS : [...MEMORY_ATTACKS, ...SANDBOX_MEMORY_ATTACKS];
  it.each(attacks)("is ended when it uses too much memory by %s", async (_how, script) => {
    const { exceeded } = await run({ script, limits: { memoryBytes: 120 * MEGABYTE } });
    expect(exceeded).toBe("memory");
  });

  it.each(HIDDEN_PLACES)("is ended when it fills the disk in a directory %s", async (_, script) => {
    const { exceeded } = await run({
      script: `(${script}; head -c 200M /dev/zero >&3; sleep 20)`,
      limits: { workspaceBytes: 50 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await run({ script: "chmod -R u+rwx . ; rm -rf hidden n*" });
  });

  testUnlinkedFiles(run);
});

describe.each(allVariants.filter(({ kind, account }) => kind === "none" && account !== "root"))(
  "a command without a sandbox, with $way",
  (variant) => {
    const runner = useRunner(program, variant);

    it("gets no more processes from the kernel than the machine has and four commands may have", async () => {
      const MAX = 4 * 256;
      const { output } = await runner().run({
        script: `read -r _ _ _ threads _ </proc/loadavg; echo "\${threads#*/}"
          perl -e 'for (1 .. 5_000) { my $child = fork; if (!defined $child) { syswrite STDOUT, $_; exit }
            sleep 60 if $child == 0 }'`,
        terminal: variant.terminal,
        limits: { processes: 10_000 },
      });
      const [threads = "", made = ""] = output.split("\n");
      expect(Number.parseInt(made, 10)).toBeGreaterThan(256);
      expect(Number.parseInt(made, 10)).toBeLessThanOrEqual(Number.parseInt(threads, 10) + MAX);
    });
  },
);
