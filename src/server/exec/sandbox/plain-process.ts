import path from "node:path";
import { createSharedVariables, type HostPrograms, SYSTEM_PROGRAMS } from "./host-programs";
import { LIMIT_SCRIPT } from "./limits";
import type { Sandbox } from "./sandbox";

/** By this variable, processes that left their parent and their session are still found. */
export const TREE_VARIABLE = "PARLEY_EXEC_TREE";

/** Runs commands without a sandbox, as processes of the server's account. */
export const createPlainProcess = (
  newId: () => string,
  programs: HostPrograms = SYSTEM_PROGRAMS,
): Sandbox => ({
  kind: "none",
  environment: createSharedVariables(programs, programs.authorities),
  workspacePath: (workspace) => workspace,
  callDirectoryPath: (callDirectory) => callDirectory,
  prepareWorkspace: () => Promise.resolve(),
  launch: ({ argv, workspace, cwd, env }) => ({
    file: "/bin/sh",
    args: ["-c", `${LIMIT_SCRIPT} || exit; exec "$@"`, "sh", ...argv],
    cwd: path.join(workspace, cwd),
    env: { ...env, [TREE_VARIABLE]: newId() } as unknown as NodeJS.ProcessEnv,
    detached: true,
    isolated: false,
  }),
});
