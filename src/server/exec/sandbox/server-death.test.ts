import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { listProcesses } from "@/test/list-processes";
import {
  allRows,
  endRunner,
  type Runner,
  startRunner,
  useRunnerProgram,
} from "@/test/sandbox-runner";

/** How the server starts what runs in a sandbox. */
const STARTED = [
  { what: "a command", options: {} },
  { what: "a command in a terminal", options: { terminal: true } },
  { what: "a step of a recipe", options: { hasProxy: true, hasCallDirectory: true } },
  { what: "the program of an MCP server", options: { network: true } },
];
const PROCESSES = 3;

const program = useRunnerProgram();

const list = (...options: string[]): string[] => listProcesses(...options, "-o", "pid=,args=");

/** Finds processes of the host by their whole command line. */
const countProcesses = (commandLine: string): number =>
  list("-e").filter((line) => line.trim().replace(/^\d+ /, "") === commandLine).length;

const killSupervisor = ({ process: { pid = 0 } }: Runner): void => {
  const [supervisor = ""] = list("--ppid", `${pid}`);
  process.kill(Number.parseInt(supervisor, 10), "SIGKILL");
};

describe.each(allRows)("in $kind of $account", ({ kind, launcher }) => {
  describe.each(STARTED)("$what", ({ options }) => {
    /** Starts processes in several sessions that ignore all signals that can be ignored. */
    const start = async (mark: string) => {
      const runner = await startRunner(
        [...launcher, ...program().command, kind],
        program().directory,
      );
      const script = `trap '' HUP INT TERM QUIT PIPE; (setsid sleep ${mark} &); sleep ${mark} & sleep ${mark}`;
      const ended = runner.run({ ...options, script }).catch(() => undefined);
      await expect.poll(() => countProcesses(`sleep ${mark}`)).toBe(PROCESSES);
      return { runner, ended };
    };

    it("ends with a server that is killed", async () => {
      const mark = `31${process.pid}`;
      const { runner } = await start(mark);
      runner.process.kill("SIGKILL");
      await once(runner.process, "exit");
      await expect.poll(() => countProcesses(`sleep ${mark}`)).toBe(0);
    });

    // What is left then is ended by the server; see `exec-tool.test.ts`.
    if (kind === "none") return;

    it("ends with its supervisor, which cannot do anything more", async () => {
      const mark = `32${process.pid}`;
      const { runner, ended } = await start(mark);
      killSupervisor(runner);
      await expect.poll(() => countProcesses(`sleep ${mark}`)).toBe(0);
      await ended;
      await endRunner(runner);
    });
  });
});
