import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSharedVariables, type HostPrograms, SYSTEM_PROGRAMS } from "./host-programs";
import { type CommandLimits, createCommandLimits, createLimitScript } from "./limits";
import { findProgram } from "./host-system";
import { createPerlProgram } from "./perl-program";
import holdCommand from "./perl/hold-command.pl?raw";
import memoryGroup from "./perl/memory-group.pl?raw";
import type { Sandbox } from "./sandbox";
import { findMachine } from "./system-call-filter";

/** By this variable, processes that left their parent and their session are still found. */
export const TREE_VARIABLE = "PARLEY_EXEC_TREE";

/** Closes what the server inherited from those that started it, but not the standard files. */
const CLOSE_FILES =
  'for file in /dev/fd/*; do file=${file##*/}; [ "$file" -le 2 ] || eval "exec $file>&-"; done';

type PlainOptions = {
  programs?: HostPrograms;
  /** A private directory, which is made when it is needed. */
  home?: string;
  limits?: CommandLimits;
  /** The command that holds a command, which follows it. */
  holder?: readonly string[];
};

/** Without Perl, nothing holds a command: what a server that is killed has started goes on then. */
const createHolder = (): readonly string[] => {
  try {
    const settings = { machine: findMachine(), server: process.pid };
    return [findProgram("perl"), "-e", createPerlProgram(settings, [memoryGroup, holdCommand])];
  } catch {
    return [];
  }
};

/**
 * Runs commands without a sandbox, as processes of the server's account. Their home is not the workspace: programs obey
 * what stands in their home, such as `.gitconfig`, and the model writes files of the workspace without an approval.
 */
export const createPlainProcess = (
  newId: () => string,
  {
    programs = SYSTEM_PROGRAMS,
    home = path.join(tmpdir(), `parley-home-${randomUUID()}`),
    limits = createCommandLimits(),
    holder = createHolder(),
  }: PlainOptions = {},
): Sandbox => ({
  kind: "none",
  environment: createSharedVariables(programs, programs.authorities),
  workspacePath: (workspace) => workspace,
  homePath: () => home,
  callDirectoryPath: (callDirectory) => callDirectory,
  prepareWorkspace: async () => {
    await mkdir(home, { recursive: true, mode: 0o700 });
  },
  launch: ({ argv, workspace, cwd, env }) => {
    // Other shells close no descriptor above 9. The options: units of limits, and no other code.
    const shell = ["/bin/bash", "--posix", "--norc", "-p", "-c"];
    const script = `${createLimitScript(limits)} || exit; ${CLOSE_FILES}; exec "$@"`;
    const [file = "", ...args] = [...holder, ...shell, script, "bash", ...argv];
    return {
      file,
      args,
      cwd: path.join(workspace, cwd),
      env: { ...env, [TREE_VARIABLE]: newId() } as unknown as NodeJS.ProcessEnv,
      detached: true,
      isolated: false,
    };
  },
});
