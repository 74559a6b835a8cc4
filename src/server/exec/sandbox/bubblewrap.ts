import path from "node:path";
import { WORKSPACE_PATH } from "@/server/tools/workspace/shown-path";
import type { HostSystem } from "./host-system";
import {
  CALL_DIRECTORY,
  INNER_FILES,
  INNER_IDS,
  NAME_SERVERS,
  OWN_SETTINGS,
  createInnerSettings,
  listInnerArguments,
} from "./inner-command";
import { SHARED_MEMORY_BYTES, TMP_BYTES } from "./limits";
import { createPerlProgram } from "./perl-program";
import runInBubblewrap from "./perl/run-in-bubblewrap.pl?raw";
import startBubblewrap from "./perl/start-bubblewrap.pl?raw";
import { SANDBOX_PROXY } from "./proxy-variables";
import type { Sandbox, SandboxedCommand } from "./sandbox";
import { createSupervisor, passVariables } from "./supervisor";
import { giveToCommands } from "./workspace-owner";

/** The first descriptor after the standard ones and the pipes of the supervisor. */
const FIRST_DESCRIPTOR = 6;

/** @throws {Error} a sentence, when a program is not installed. */
export const createBubblewrap = (host: HostSystem, isRoot: boolean): Sandbox => {
  const { findProgram } = host;
  const settings = { ...createInnerSettings(isRoot), firstDescriptor: FIRST_DESCRIPTOR };
  const [file, ...supervisor] = createSupervisor({
    findProgram,
    settings,
    files: [startBubblewrap],
  });
  const program = findProgram("bwrap");
  const options = [...(isRoot ? AS_ROOT : AS_USER), ...mountSystem(host)];
  const script = createPerlProgram(settings, [...INNER_FILES, runInBubblewrap]);
  return {
    kind: "bubblewrap",
    environment: host.environment,
    workspacePath: () => WORKSPACE_PATH,
    homePath: () => WORKSPACE_PATH,
    callDirectoryPath: () => CALL_DIRECTORY,
    prepareWorkspace: async (directory) => {
      if (isRoot) await giveToCommands(directory);
    },
    launch: (command) => ({
      file,
      args: [
        ...supervisor,
        command.workspace,
        command.callDirectory ?? "",
        program,
        ...options,
        ...(command.network ? SHARE_NETWORK : ["--unshare-net"]),
        "--bind",
        command.workspace,
        WORKSPACE_PATH,
        ...bindCallDirectory(command),
        ...bindProxy(command),
        "--remount-ro",
        "/",
        "--",
        findProgram("perl"),
        "-e",
        script,
        ...listInnerArguments(command),
      ],
      cwd: "/",
      env: passVariables(command.env),
      detached: true,
      isolated: true,
    }),
  };
};

const bindCallDirectory = ({ callDirectory }: SandboxedCommand): string[] =>
  callDirectory === undefined ? [] : ["--bind", callDirectory, CALL_DIRECTORY];

const bindProxy = ({ proxySocket }: SandboxedCommand): string[] =>
  proxySocket === undefined ? [] : ["--ro-bind", proxySocket, SANDBOX_PROXY.path];

const SHARE_NETWORK = ["--ro-bind-try", NAME_SERVERS, NAME_SERVERS];

const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts"];
const COMMON = [...NAMESPACES, "--hostname", "sandbox", "--die-with-parent", "--cap-drop", "ALL"];

const AS_USER = ["--unshare-user", "--disable-userns", ...INNER_IDS, ...COMMON];
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
    `${FIRST_DESCRIPTOR + index}`,
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
