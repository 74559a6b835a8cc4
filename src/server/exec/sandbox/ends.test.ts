import { once } from "node:events";
import { describe, expect, it } from "vitest";
import {
  findProcesses,
  sandboxRows,
  startRunner,
  useRunner,
  useRunnerProgram,
} from "@/test/sandbox-runner";

const program = useRunnerProgram();

describe.each(sandboxRows)("a command in $kind of $account", ({ kind, launcher }) => {
  const runner = useRunner(program, { kind, launcher });

  it("ends alone when it ends what holds it", async () => {
    await runner().run({
      script: "kill -9 $PPID; kill -9 1; kill -9 -1; sleep 999",
      timeoutMs: 500,
    });
    expect((await runner().run({ script: "echo next" })).output).toBe("next\n");
  });

  it("leaves nothing after its timeout", async () => {
    const mark = `8${process.pid}`;
    const { hasEnded } = await runner().run({
      script: `sleep ${mark} & setsid sleep ${mark} & (setsid sh -c "sleep ${mark} & sleep ${mark} &")
        env -i setsid nohup sleep ${mark} & trap "" TERM INT HUP; sh -c 'sleep ${mark} & sleep ${mark}'`,
      timeoutMs: 500,
    });
    expect(hasEnded).toBe(true);
    expect(findProcesses(`sleep ${mark}`)).toEqual([]);
  });

  it("leaves nothing when it ends by itself", async () => {
    const mark = `7${process.pid}`;
    const { exitCode } = await runner().run({
      script: `(setsid sh -c "sleep ${mark} & sleep ${mark} &") & sleep ${mark} & exit 0`,
    });
    expect(exitCode).toBe(0);
    expect(findProcesses(`sleep ${mark}`)).toEqual([]);
  });

  it.each([0, 10, 30, 500])("ends with a server that is killed %i ms later", async (timeoutMs) => {
    const mark = `6${process.pid}`;
    const other = await startRunner([...launcher, ...program().command, kind], program().directory);
    const exited = once(other.process, "exit");
    const script = `setsid sleep ${mark} & sleep ${mark}`;
    await other.run({ script, timeoutMs, crash: true }).catch(() => undefined);
    expect(await exited).toEqual([null, "SIGKILL"]);
    await expect.poll(() => findProcesses(`sleep ${mark}`)).toEqual([]);
  });

  it("is ended as a fork bomb", async () => {
    const { exceeded, hasEnded } = await runner().run({
      script: "b() { b | b & }; b; sleep 5",
      limits: { processes: 100 },
    });
    expect({ exceeded, hasEnded }).toEqual({ exceeded: "processes", hasEnded: true });
  });
});
