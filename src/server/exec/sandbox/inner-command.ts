import path from "node:path";
import { FORWARD } from "./forward-script";
import { PROCESS_LIMITS } from "./limits";
import { LEAVE_INPUT } from "./perl-script";
import { PR_SET_DUMPABLE, TERMINAL_SIGNALS } from "./supervise-script";
import type { SandboxedCommand } from "./sandbox";
import { UNPRIVILEGED_ID } from "./workspace-owner";

/** The account that a command sees itself as. */
const INNER_ID = "1000";
export const WORKSPACE = "/workspace";
/** Where a command finds the directory that is private to its call. */
export const CALL_DIRECTORY = "/call";

/**
 * Files of /etc that a sandbox has of its own, as programs expect an account and a name for loopback. Services of
 * the host that know further accounts cannot be reached, and looking for them takes some ms.
 */
export const OWN_SETTINGS: readonly { path: string; text: string }[] = [
  { path: "/etc/passwd", text: `command:x:${INNER_ID}:${INNER_ID}::${WORKSPACE}:/bin/sh\n` },
  { path: "/etc/group", text: `command:x:${INNER_ID}:\n` },
  { path: "/etc/hosts", text: "127.0.0.1 localhost\n::1 localhost\n" },
  { path: "/etc/nsswitch.conf", text: "passwd: files\ngroup: files\nhosts: files dns\n" },
];

/** The file of the host by which a command with a network finds names of other machines. */
export const NAME_SERVERS = "/etc/resolv.conf";

const CLONE_NEWUSER = 0x10000000;
const PR_CAPBSET_DROP = 24;
/** More than the kernel has. */
const CAPABILITIES = 64;
const CAPABILITY_VERSION = 0x20080522;

/** Becomes an account that owns nothing. Without the last line, it could not write its own id maps. */
const LEAVE_ROOT = `
call("setgroups", 0, 0);
call("setresgid", (${UNPRIVILEGED_ID}) x 3);
call("setresuid", (${UNPRIVILEGED_ID}) x 3);
call("prctl", ${PR_SET_DUMPABLE}, 1, 0, 0, 0);`;

/** Enters a user namespace, in which a command can gain no privilege and create no further namespace. */
const ENTER_USER_NAMESPACE = `
my ($user, $group) = ($> + 0, $) + 0);
call("unshare", ${CLONE_NEWUSER});
put("/proc/self/setgroups", "deny");
put("/proc/self/uid_map", "${INNER_ID} $user 1");
put("/proc/self/gid_map", "${INNER_ID} $group 1");
put("/proc/sys/user/max_user_namespaces", "0");
syscall($number{prctl}, ${PR_CAPBSET_DROP}, $_, 0, 0, 0) for 0 .. ${CAPABILITIES - 1};
call("capset", pack("LL", ${CAPABILITY_VERSION}, 0), pack("L6", (0) x 6));`;

/** The same in the words of bubblewrap. */
export const INNER_IDS = ["--uid", INNER_ID, "--gid", INNER_ID];

/** Makes a process group the one that a terminal's keys are for. */
const TIOCSPGRP = 0x5410;

/**
 * Sets the limits, enters the directory as the account that may, and runs the command in a process of its own, as this
 * one may be the first of its namespace, which no signal of a terminal could end. The command has a group of its own:
 * what it sends to its group does not reach the processes that hold it, and a shell in a terminal gives the terminal
 * back to the group that had it, which must be one of its own namespace.
 */
const RUN = `
${PROCESS_LIMITS.map(({ resource, value }) => `call("prlimit64", 0, ${resource}, pack("QQ", (${value}) x 2), 0);`).join("\n")}
my $directory = shift @ARGV;
chdir $directory or die "$directory: $!\\n";
%ENV = map { split /=/, $_, 2 } split /\\0/, do { local $/; <$environment> // "" };
close $environment;
${FORWARD}
my $command = fork() // die "fork: $!\\n";
if ($command == 0) {
  close $report;
  setpgrp(0, 0) or die "process group: $!\\n";
  if (-t STDIN) {
    local $SIG{TTOU} = "IGNORE";
    ioctl(STDIN, ${TIOCSPGRP}, my $group = pack("i", $$)) or die "terminal: $!\\n";
  }
  $SIG{$_} = "DEFAULT" for qw(${TERMINAL_SIGNALS});
  exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";
}
${LEAVE_INPUT}
1 until waitpid(-1, 0) == $command;
syswrite $report, chr($? & 127) if $? & 127;
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);`;

type InnerOptions = { isRoot: boolean; needsUserNamespace: boolean };

/**
 * A script that ends as the command of its arguments, which `listInnerArguments` creates, with the variables that it
 * reads from `$environment`; it reports to `$report`, see `superviseScript`.
 */
export const createInnerScript = ({ isRoot, needsUserNamespace }: InnerOptions): string =>
  [
    ...(isRoot ? [LEAVE_ROOT] : []),
    ...(needsUserNamespace ? [ENTER_USER_NAMESPACE] : []),
    RUN,
  ].join("");

export const listInnerArguments = ({ argv, cwd }: SandboxedCommand): string[] => [
  path.posix.join(WORKSPACE, cwd),
  ...argv,
];
