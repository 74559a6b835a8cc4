import path from "node:path";
import { WORKSPACE_PATH } from "@/server/tools/workspace/shown-path";
import type { HostSystem } from "./host-system";
import {
  CALL_DIRECTORY,
  INNER_FILES,
  NAME_SERVERS,
  OWN_SETTINGS,
  createInnerSettings,
} from "./inner-command";
import { type CommandResources, SHARED_MEMORY_BYTES, TMP_BYTES } from "./limits";
import { createPerlProgram } from "./perl-program";
import runInBubblewrap from "./perl/run-in-bubblewrap.pl?raw";
import startBubblewrap from "./perl/start-bubblewrap.pl?raw";
import type { Sandbox } from "./sandbox";
import { createSupervisor, launchSupervised } from "./supervisor";
import { giveToCommands } from "./workspace-owner";

/** The first descriptor that bubblewrap gets: more than the supervisor opens. */
const FIRST_DESCRIPTOR = 32;

/** @throws {Error} a sentence, when a program is not installed. */
export const createBubblewrap = (
  host: HostSystem,
  isRoot: boolean,
  resources: CommandResources,
): Sandbox => {
  const { findProgram } = host;
  const settings = { ...createInnerSettings(isRoot, resources), firstDescriptor: FIRST_DESCRIPTOR };
  const supervisor = createSupervisor({
    findProgram,
    settings: {
      ...settings,
      bubblewrap: findProgram("bwrap"),
      options: [...(isRoot ? AS_ROOT : AS_USER), ...mountSystem(host)],
      withNetwork: ["--ro-bind-try", NAME_SERVERS, NAME_SERVERS],
    },
    files: [startBubblewrap],
  });
  const script = createPerlProgram(settings, [...INNER_FILES, runInBubblewrap]);
  const inner = [findProgram("perl"), "-e", script];
  return {
    kind: "bubblewrap",
    environment: host.environment,
    workspacePath: () => WORKSPACE_PATH,
    homePath: () => WORKSPACE_PATH,
    callDirectoryPath: () => CALL_DIRECTORY,
    prepareWorkspace: async (directory) => {
      if (isRoot) await giveToCommands(directory);
    },
    launch: (command) => launchSupervised(supervisor, { inner, command }),
  };
};

/** The last steps in Perl are the first process: that of bubblewrap would show the mounts of its namespace. */
const COMMON = [
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--hostname",
  "sandbox",
  "--die-with-parent",
  "--as-pid-1",
  "--cap-drop",
  "ALL",
];

const AS_USER = ["--unshare-user", ...COMMON];
/** Root mounts by itself, then becomes another account: as root's, a command could write to /proc/sys. */
const AS_ROOT = [
  ...COMMON,
  ...["SETUID", "SETGID", "SETPCAP"].flatMap((name) => ["--cap-add", `CAP_${name}`]),
];

const mountSystem = ({ shown, hidden }: HostSystem): string[] => [
  ...listParents([...shown, ...OWN_SETTINGS]).flatMap((directory) => [
    "--perms",
    "0755",
    "--dir",
    directory,
  ]),
  ...shown.flatMap((entry) =>
    entry.kind === "link"
      ? ["--symlink", entry.target, entry.path]
      : ["--ro-bind", entry.source ?? entry.path, entry.path],
  ),
  ...OWN_SETTINGS.flatMap((file, index) => [
    "--perms",
    "0644",
    "--ro-bind-data",
    `${FIRST_DESCRIPTOR + 1 + index}`,
    file.path,
  ]),
  ...hidden.flatMap((directory) => ["--tmpfs", directory, "--remount-ro", directory]),
  "--proc",
  "/proc",
  "--dev",
  "/dev",
  "--perms",
  "1777",
  "--size",
  `${SHARED_MEMORY_BYTES}`,
  "--tmpfs",
  "/dev/shm",
  // That of the host could be mapped as memory, which would not be counted; this one reads alike.
  "--dev-bind",
  "/dev/full",
  "/dev/zero",
  "--remount-ro",
  "/dev",
  "--perms",
  "1777",
  "--size",
  `${TMP_BYTES}`,
  "--tmpfs",
  "/tmp",
];

/**
 * Lists the directories that hold what is mounted, each after its own parent. Those that bubblewrap makes by itself
 * are closed to all accounts but root's, and commands run as another one.
 */
const listParents = (mounted: readonly { path: string }[]): string[] => {
  const parents = mounted.flatMap((entry) => {
    const names = path.dirname(entry.path).split("/").slice(1);
    return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
  });
  return [...new Set(parents)].filter((directory) => directory !== "/");
};
