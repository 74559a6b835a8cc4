import { WORKSPACE_PATH } from "@/server/tools/workspace/shown-path";
import type { HostSystem } from "./host-system";
import { CALL_DIRECTORY, INNER_FILES, NAME_SERVERS, createInnerSettings } from "./inner-command";
import { type CommandResources, SHARED_MEMORY_BYTES, TMP_BYTES } from "./limits";
import mountFiles from "./perl/mount-files.pl?raw";
import runInNamespaces from "./perl/run-in-namespaces.pl?raw";
import type { Sandbox } from "./sandbox";
import { createSupervisor, launchSupervised } from "./supervisor";
import { giveToCommands } from "./workspace-owner";

/** @throws {Error} a sentence, when a program is not installed. */
export const createUnshare = (
  host: HostSystem,
  isRoot: boolean,
  resources: CommandResources,
): Sandbox => {
  const { shown, hidden, findProgram } = host;
  const supervisor = createSupervisor({
    findProgram,
    settings: {
      ...createInnerSettings(isRoot, resources),
      shown,
      hidden,
      nameServers: NAME_SERVERS,
      tmpBytes: TMP_BYTES,
      sharedMemoryBytes: SHARED_MEMORY_BYTES,
    },
    files: [...INNER_FILES, mountFiles, runInNamespaces],
  });
  return {
    kind: "unshare",
    environment: host.environment,
    workspacePath: () => WORKSPACE_PATH,
    homePath: () => WORKSPACE_PATH,
    callDirectoryPath: () => CALL_DIRECTORY,
    prepareWorkspace: async (directory) => {
      if (isRoot) await giveToCommands(directory);
    },
    launch: (command) => launchSupervised(supervisor, { command }),
  };
};
