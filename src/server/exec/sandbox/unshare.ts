import { dirname } from "node:path";
import { PROXY_SOCKET } from "./forward-script";
import type { HostSystem, SystemPath } from "./host-system";
import {
  CALL_DIRECTORY,
  NAME_SERVERS,
  OWN_SETTINGS,
  WORKSPACE,
  createInnerScript,
  listInnerArguments,
} from "./inner-command";
import { SHARED_MEMORY_BYTES, TMP_BYTES } from "./limits";
import { LEAVE_INPUT, quotePerl } from "./perl-script";
import { passVariables, superviseScript } from "./supervise-script";
import type { Sandbox } from "./sandbox";
import { createOwnerScript, giveToCommands } from "./workspace-owner";

/** Where the new root is mounted: a directory that every system has and that no source of a mount lies in. */
const NEW_ROOT = "/sys";
/** It has only empty directories and the own settings. */
const ROOT_BYTES = 1024 * 1024;

/** @throws {Error} a sentence, when a program is not installed. */
export const createUnshare = (host: HostSystem, isRoot: boolean): Sandbox => {
  const { findProgram } = host;
  const script = [
    "my ($workspace, $call, $proxy, $network) = splice @ARGV, 0, 4; my @directories = grep { length } $workspace, $call;",
    isRoot ? createOwnerScript(findProgram) : "",
    createNamespaceScript(isRoot),
    createMountScript(host),
    createInnerScript({ isRoot, needsUserNamespace: true }),
  ].join("");
  const [file = "", ...args] = superviseScript(script, findProgram);
  return {
    kind: "unshare",
    workspacePath: () => WORKSPACE,
    callDirectoryPath: () => CALL_DIRECTORY,
    prepareWorkspace: async (directory) => {
      if (isRoot) await giveToCommands(directory);
    },
    launch: (command) => ({
      file,
      args: [
        ...args,
        command.workspace,
        command.callDirectory ?? "",
        command.proxySocket ?? "",
        command.network ? "1" : "",
        ...listInnerArguments(command),
      ],
      cwd: "/",
      env: passVariables(command.env),
      detached: true,
      isolated: true,
    }),
  };
};

const CLONE_NEWNS = 0x00020000;
const CLONE_NEWUTS = 0x04000000;
const CLONE_NEWIPC = 0x08000000;
const CLONE_NEWUSER = 0x10000000;
const CLONE_NEWPID = 0x20000000;
const CLONE_NEWNET = 0x40000000;
const NAMESPACES = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID;

/** Mounts of another account than root's need a namespace in which it is root. */
const BECOME_ROOT = `
my ($owner, $owners) = ($> + 0, $) + 0);
call("unshare", ${CLONE_NEWUSER});
put("/proc/self/setgroups", "deny");
put("/proc/self/uid_map", "0 $owner 1");
put("/proc/self/gid_map", "0 $owners 1");`;

const HOST_NAME = "sandbox";
const [SIOCSIFFLAGS, IFF_UP] = [0x8914, 1];
const [AF_INET, SOCK_DGRAM] = [2, 2];

/** The rest runs as the first process of its namespace, and this one ends as it does. */
const createNamespaceScript = (isRoot: boolean): string => `${isRoot ? "" : BECOME_ROOT}
call("unshare", ${NAMESPACES} | ($network ? 0 : ${CLONE_NEWNET}));
my $first = fork() // die "fork: $!\\n";
if ($first) {
  ${LEAVE_INPUT}
  1 until waitpid($first, 0) == $first;
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}
call("sethostname", "${HOST_NAME}", ${HOST_NAME.length});
unless ($network) {
  socket(my $socket, ${AF_INET}, ${SOCK_DGRAM}, 0) or die "socket: $!\\n";
  ioctl($socket, ${SIOCSIFFLAGS}, my $up = pack("a16 s x22", "lo", ${IFF_UP})) or die "loopback: $!\\n";
  close $socket;
}`;

const [MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC] = [1, 2, 4, 8];
const [MS_BIND, MS_REC, MS_PRIVATE] = [0x1000, 0x4000, 0x40000];
const MNT_DETACH = 2;
const [AT_FDCWD, AT_RECURSIVE] = [-100, 0x8000];

const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"];
const DEVICE_LINKS = {
  fd: "/proc/self/fd",
  stdin: "/proc/self/fd/0",
  stdout: "/proc/self/fd/1",
  stderr: "/proc/self/fd/2",
  ptmx: "pts/ptmx",
};

/** A script that makes `$workspace` and what is shown of the host the only files that it sees. */
const createMountScript = ({ shown, hidden }: HostSystem): string => {
  const sources = shown.filter(({ kind }) => kind !== "link");
  const links = shown.filter((entry) => entry.kind === "link");
  const files = [...listPaths(shown, "file"), ...DEVICES.map((name) => `/dev/${name}`)];
  const directories = [
    ...sources.map(({ kind, path }) => (kind === "file" ? dirname(path) : path)),
    "/etc",
    "/proc",
    "/dev/pts",
    "/dev/shm",
    "/tmp",
    WORKSPACE,
  ];
  return `
umask 022;
sub mount { my ($source, $path, $type, $flags, $data) = @_; call("mount", $source, $path, $type, $flags, $data) }
sub tmpfs { mount("tmpfs", $_[0], "tmpfs", ${MS_NOSUID | MS_NODEV} | ($_[2] // 0), $_[1]) }
sub mirror { mount($_[0], $_[1], "", ${MS_BIND | MS_REC}, "") }
sub restrict {
  my ($path, $flags, $added) = @_;
  my $attributes = pack("Q4", ${MS_NOSUID | MS_NODEV} | $added, 0, 0, 0);
  call("mount_setattr", ${AT_FDCWD}, $path, $flags, $attributes, length $attributes);
}
mount("none", "/", "", ${MS_REC | MS_PRIVATE}, "");
tmpfs("${NEW_ROOT}", "size=${ROOT_BYTES},mode=755");
chdir "${NEW_ROOT}" or die "${NEW_ROOT}: $!\\n";
for my $path (${listTexts(directories)}) {
  my $directory = ".";
  mkdir $directory .= "/$_" for split m{/+}, substr($path, 1);
}
put(".$_", "") for ${listTexts(files)};
my @links = (${links.map(({ target, path }) => `[${[target, path].map(quotePerl).join(", ")}]`).join(", ")});
push @links, ${Object.entries(DEVICE_LINKS)
    .map(([name, target]) => `["${target}", "/dev/${name}"]`)
    .join(", ")};
symlink($_->[0], ".$_->[1]") || die "$_->[1]: $!\\n" for @links;
${OWN_SETTINGS.map(({ path, text }) => `put(${quotePerl(`.${path}`)}, ${quotePerl(text)});`).join("\n")}
mirror($workspace, ".${WORKSPACE}");
restrict(".${WORKSPACE}", ${AT_RECURSIVE}, 0);
if (length $call) {
  mkdir ".${CALL_DIRECTORY}";
  mirror($call, ".${CALL_DIRECTORY}");
  restrict(".${CALL_DIRECTORY}", ${AT_RECURSIVE}, 0);
}
for (${listTexts(sources.map(({ path }) => path))}) { mirror($_, ".$_"); restrict(".$_", ${AT_RECURSIVE}, ${MS_RDONLY}) }
my @network = $network ? ("${NAME_SERVERS}", "${NAME_SERVERS}") : ($proxy, "${PROXY_SOCKET}");
if (-e $network[0]) {
  put(".$network[1]", "");
  mirror($network[0], ".$network[1]");
  restrict(".$network[1]", ${AT_RECURSIVE}, ${MS_RDONLY});
}
tmpfs(".$_", "size=4k,mode=555", ${MS_RDONLY}) for ${listTexts(hidden)};
mirror($_, ".$_") for ${listTexts(DEVICES.map((name) => `/dev/${name}`))};
tmpfs("./tmp", "size=${TMP_BYTES},mode=1777");
tmpfs("./dev/shm", "size=${SHARED_MEMORY_BYTES},mode=1777");
mount("proc", "./proc", "proc", ${MS_NOSUID | MS_NODEV | MS_NOEXEC}, "");
mount("devpts", "./dev/pts", "devpts", ${MS_NOSUID | MS_NOEXEC}, "newinstance,ptmxmode=0666,mode=620");
if (-t STDIN) { put("./dev/console", ""); mirror(readlink("/proc/self/fd/0"), "./dev/console") }
call("pivot_root", ".", ".");
call("umount2", ".", ${MNT_DETACH});
chdir "/" or die "/: $!\\n";
restrict("/", 0, ${MS_RDONLY});`;
};

const listPaths = (shown: readonly SystemPath[], kind: SystemPath["kind"]): string[] =>
  shown.filter((entry) => entry.kind === kind).map(({ path }) => path);

const listTexts = (texts: readonly string[]): string => `(${texts.map(quotePerl).join(", ")})`;
