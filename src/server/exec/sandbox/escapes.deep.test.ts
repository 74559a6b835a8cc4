import { describe, expect, it } from "vitest";
import { measureMedian } from "@/test/cpu-time";
import { MEGABYTE, sandboxRows, useRunner, useRunnerProgram } from "@/test/sandbox-runner";

/** What a tree may use beyond its limit before it is ended. */
const OVERSHOOT = 100 * MEGABYTE;

const program = useRunnerProgram();

describe.each(sandboxRows)("a command in $kind of $account", ({ kind, launcher }) => {
  const runner = useRunner(program, { kind, launcher });

  it("leaves nothing a second after its timeout", async () => {
    const measure = async (script: string): Promise<number> =>
      (await runner().run({ script, timeoutMs: 500 })).durationMs;
    const mark = `8${process.pid}`;
    const many = `sleep ${mark} & setsid sleep ${mark} & (setsid sh -c "sleep ${mark} & sleep ${mark} &")
      env -i setsid nohup sleep ${mark} & trap "" TERM INT HUP; sh -c 'sleep ${mark} & sleep ${mark}'`;
    // A command that leaves nothing takes as long on this machine, without the second.
    const addedMs = await measureMedian(
      "milliseconds until a tree is gone",
      async () => (await measure(many)) - (await measure("sleep 99")),
    );
    expect(addedMs).toBeLessThan(1_000);
  });

  it("is ended before it fills much more of the disk than it may", async () => {
    const maxBytes = 50 * MEGABYTE;
    const { workspaceBytes } = await runner().run({
      script: "for i in $(seq 100); do head -c 200M /dev/zero > f$i; done",
      limits: { workspaceBytes: maxBytes },
    });
    expect(workspaceBytes).toBeLessThan(maxBytes + OVERSHOOT);
    await runner().run({ script: "rm -f f*" });
  });
});
