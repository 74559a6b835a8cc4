import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { CommandOutcome, CommandRequest } from "@/test/programs/command-runner";
import {
  allVariants,
  findProcesses,
  pairedVariants,
  startRunner,
  useRunner,
  useRunnerProgram,
} from "@/test/sandbox-runner";

const program = useRunnerProgram();

describe.each(allVariants)("a command in $kind of $account, with $way", (variant) => {
  const { kind, terminal } = variant;
  const runner = useRunner(program, variant);
  const run = (request: CommandRequest): Promise<CommandOutcome> =>
    runner().run({ ...request, terminal });

  it("leaves nothing after its timeout", async () => {
    const mark = `8${process.pid}`;
    const { hasEnded } = await run({
      script: `sleep ${mark} & setsid sleep ${mark} & (setsid sh -c "sleep ${mark} & sleep ${mark} &")
        env -i setsid nohup sleep ${mark} & trap "" TERM INT HUP; sh -c 'sleep ${mark} & sleep ${mark}'`,
      timeoutMs: 500,
    });
    expect(hasEnded).toBe(true);
    expect(findProcesses(`sleep ${mark}`)).toEqual([]);
  });

  it("leaves nothing when it ends by itself", async () => {
    const mark = `7${process.pid}`;
    const { exitCode } = await run({
      script: `(setsid sh -c "sleep ${mark} & sleep ${mark} &") & sleep ${mark} & exit 0`,
    });
    expect(exitCode).toBe(0);
    expect(findProcesses(`sleep ${mark}`)).toEqual([]);
  });

  // Without a sandbox, these reach the whole machine; see `server-death.test.ts` and `held.deep.test.ts`.
  if (kind === "none") return;

  it("ends alone when it ends what holds it", async () => {
    await run({ script: "kill -9 $PPID; kill -9 1; kill -9 -1; sleep 999", timeoutMs: 500 });
    expect((await run({ script: "echo next" })).output).toBe("next\n");
  });

  it("is ended as a fork bomb", async () => {
    const { exceeded, hasEnded } = await run({
      script: "b() { b | b & }; b; sleep 5",
      limits: { processes: 100 },
    });
    expect({ exceeded, hasEnded }).toEqual({ exceeded: "processes", hasEnded: true });
  });
});

describe.each(pairedVariants)("a command in $kind of $account, with $way", (variant) => {
  const { kind, launcher, terminal } = variant;

  it.each([0, 3, 10, 30, 500])(
    "ends with a server that is killed %i ms later",
    async (timeoutMs) => {
      const mark = `6${process.pid}`;
      const command = [...launcher, ...program().command, kind];
      const runner = await startRunner(command, program().directory);
      const exited = once(runner.process, "exit");
      const script = `env -i setsid sleep ${mark} & sleep ${mark}`;
      await runner.run({ script, terminal, timeoutMs, crash: true }).catch(() => undefined);
      expect(await exited).toEqual([null, "SIGKILL"]);
      await expect.poll(() => findProcesses(`sleep ${mark}`)).toEqual([]);
    },
  );
});
