import path from "node:path";
import { WORKSPACE_PATH } from "@/server/tools/workspace/shown-path";
import type { InnerSettings } from "./inner-command";
import { createPerlProgram, type PerlValue } from "./perl-program";
import giveToCommands from "./perl/give-to-commands.pl?raw";
import memoryGroup from "./perl/memory-group.pl?raw";
import supervise from "./perl/supervise.pl?raw";
import type { Launch, SandboxedCommand } from "./sandbox";
import { createSystemCallFilter } from "./system-call-filter";

type SupervisorOptions = {
  findProgram: (name: string) => string;
  /** What the files find in `$settings`, besides what all supervisors need. */
  settings: InnerSettings & Readonly<Record<string, PerlValue>>;
  /** Files of Perl, of which the last one calls `supervise`. */
  files: readonly string[];
};

/**
 * Creates the command of the process that this one starts for a sandbox; see `supervise.pl`.
 *
 * @throws {Error} a sentence, when a program is not installed.
 */
export const createSupervisor = ({
  findProgram,
  settings,
  files,
}: SupervisorOptions): [file: string, ...args: string[]] => {
  const program = createPerlProgram(
    {
      ...settings,
      server: process.pid,
      filter: createSystemCallFilter(settings.machine).toString("hex"),
      chown: settings.isRoot ? findProgram("chown") : "",
    },
    [memoryGroup, supervise, giveToCommands, ...files],
  );
  return [findProgram("perl"), "-e", program];
};

/**
 * Creates what starts a command by its supervisor.
 *
 * @param supervisor from `createSupervisor`.
 * @param inner starts the last steps, where they are another program.
 */
export const launchSupervised = (
  [file, ...args]: [file: string, ...args: string[]],
  { inner = [], command }: { inner?: readonly string[]; command: SandboxedCommand },
): Launch => ({
  file,
  args: [
    ...args,
    command.network ? "1" : "",
    ...inner,
    path.posix.join(WORKSPACE_PATH, command.cwd),
    ...command.argv,
  ],
  cwd: "/",
  env: passVariables(command),
  detached: true,
  isolated: true,
});

/**
 * Creates the environment of a supervisor. Other accounts, and the command itself, can read the arguments of a process,
 * and no name that a command chooses may change how the supervisor itself runs.
 */
const passVariables = ({
  workspace,
  callDirectory = "",
  proxySocket = "",
  env,
}: SandboxedCommand): NodeJS.ProcessEnv => {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const texts = [workspace, callDirectory, proxySocket, ...variables];
  return Object.fromEntries(texts.map((text, index) => [`V${index}`, text])) as NodeJS.ProcessEnv;
};
