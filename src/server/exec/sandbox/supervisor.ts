import type { InnerSettings } from "./inner-command";
import { createPerlProgram, type PerlValue } from "./perl-program";
import giveToCommands from "./perl/give-to-commands.pl?raw";
import supervise from "./perl/supervise.pl?raw";
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
    [supervise, giveToCommands, ...files],
  );
  return [findProgram("perl"), "-e", program];
};

/**
 * Creates the environment of a supervisor from that of its command. Other accounts can read the arguments of a process,
 * and no name that a command chooses may change how the supervisor itself runs.
 */
export const passVariables = (variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value], index) => [`V${index}`, `${name}=${value}`]),
  ) as NodeJS.ProcessEnv;
