import path from "node:path";
import { PROXY_SOCKET } from "./forward-script";
import type { HostSystem } from "./host-system";
import {
  CALL_DIRECTORY,
  INNER_IDS,
  NAME_SERVERS,
  OWN_SETTINGS,
  WORKSPACE,
  createInnerScript,
  listInnerArguments,
} from "./inner-command";
import { SHARED_MEMORY_BYTES, TMP_BYTES } from "./limits";
import { LEAVE_INPUT, createPerlFunctions, findMachine, quotePerl } from "./perl-script";
import { passVariables, superviseScript } from "./supervise-script";
import type { Sandbox, SandboxedCommand } from "./sandbox";
import { createOwnerScript, giveToCommands } from "./workspace-owner";

/** The first descriptor after the standard ones and the pipes of the supervisor. */
const FIRST_DESCRIPTOR = 6;

/** @throws {Error} a sentence, when a program is not installed. */
export const createBubblewrap = (host: HostSystem, isRoot: boolean): Sandbox => {
  const { findProgram } = host;
  const [file = "", ...supervisor] = superviseScript(
    `my @directories = grep { length } splice @ARGV, 0, 2;${isRoot ? createOwnerScript(findProgram) : ""}${START}`,
    findProgram,
  );
  const program = findProgram("bwrap");
  const options = [...(isRoot ? AS_ROOT : AS_USER), ...mountSystem(host)];
  const inner = createInnerScript({ isRoot, needsUserNamespace: isRoot });
  const script = [createPerlFunctions(findMachine()), TAKE_DESCRIPTORS, inner].join("");
  return {
    kind: "bubblewrap",
    workspacePath: () => WORKSPACE,
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
        WORKSPACE,
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
  proxySocket === undefined ? [] : ["--ro-bind", proxySocket, PROXY_SOCKET];

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
      : ["--ro-bind", entry.path, entry.path],
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

/**
 * Descriptors that the sandbox gets, as a pseudo-terminal passes on none of the server: own settings, the input, the
 * variables, then the pipe for the signal.
 */
const INPUT = FIRST_DESCRIPTOR + OWN_SETTINGS.length;
const VARIABLES = INPUT + 1;
const REPORT = VARIABLES + 1;

/**
 * Bubblewrap's own processes keep their input open, but no other descriptor. The environment is empty here: as the first
 * process of its namespace, bubblewrap keeps what it was started with in /proc/1/environ.
 */
const START = `
my ($descriptor, @files) = (${FIRST_DESCRIPTOR});
# Descriptors up to this one stay open in other programs.
$^F = ${REPORT};
for my $text (${OWN_SETTINGS.map(({ text }) => quotePerl(text)).join(", ")}) {
  pipe(my $file, my $output) or die "pipe: $!\\n";
  syswrite $output, $text;
  close $output;
  push @files, $file;
}
open(my $input, "<&", STDIN) or die "input: $!\\n";
open(my $variables, "<&", $environment) or die "variables: $!\\n";
open(my $signals, ">&", $report) or die "report: $!\\n";
for my $file (@files, $input, $variables, $signals) {
  fileno($file) == $descriptor++ or die "The server left a file open.\\n";
}
${LEAVE_INPUT}
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";`;

const TAKE_DESCRIPTORS = `
open(my $input, "<&=", ${INPUT}) or die "input: $!\\n";
open(STDIN, "<&", $input) or die "input: $!\\n";
close $input;
open(my $environment, "<&=", ${VARIABLES}) or die "variables: $!\\n";
open(my $report, ">&=", ${REPORT}) or die "report: $!\\n";`;
