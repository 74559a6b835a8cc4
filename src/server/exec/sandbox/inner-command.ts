import { WORKSPACE_PATH } from "@/server/tools/workspace/shown-path";
import { type CommandResources, createCommandLimits, listProcessLimits } from "./limits";
import forwardProxy from "./perl/forward-proxy.pl?raw";
import runCommand from "./perl/run-command.pl?raw";
import namespaces from "./perl/namespaces.pl?raw";
import { SANDBOX_PROXY } from "./proxy-variables";
import { findMachine } from "./system-call-filter";
import { UNPRIVILEGED_ID } from "./workspace-owner";

/** The account that a command sees itself as. */
const INNER_ID = "1000";

/** Where a command finds the directory that is private to its call. */
export const CALL_DIRECTORY = "/call";

/**
 * Files of /etc that a sandbox has of its own, as programs expect an account and a name for loopback. Services of
 * the host that know further accounts cannot be reached, and looking for them takes some ms.
 */
export const OWN_SETTINGS: readonly { path: string; text: string }[] = [
  { path: "/etc/passwd", text: `command:x:${INNER_ID}:${INNER_ID}::${WORKSPACE_PATH}:/bin/sh\n` },
  { path: "/etc/group", text: `command:x:${INNER_ID}:\n` },
  { path: "/etc/hosts", text: "127.0.0.1 localhost\n::1 localhost\n" },
  { path: "/etc/nsswitch.conf", text: "passwd: files\ngroup: files\nhosts: files dns\n" },
];

/** The file of the host by which a command with a network finds names of other machines. */
export const NAME_SERVERS = "/etc/resolv.conf";

/** Files of Perl that run a command inside of a sandbox; the one that calls `run_command` follows. */
export const INNER_FILES: readonly string[] = [namespaces, forwardProxy, runCommand];

/** What these files find in `$settings`. */
export type InnerSettings = ReturnType<typeof createInnerSettings>;

/** @throws {Error} a sentence, when the numbers of system calls are not known for this machine. */
export const createInnerSettings = (
  isRoot: boolean,
  { limits, processors }: CommandResources = { limits: createCommandLimits(), processors: "" },
) => ({
  isRoot,
  machine: findMachine(),
  account: UNPRIVILEGED_ID,
  innerId: INNER_ID,
  limits: listProcessLimits(limits),
  processors,
  workspace: WORKSPACE_PATH,
  callDirectory: CALL_DIRECTORY,
  proxy: SANDBOX_PROXY,
  ownSettings: OWN_SETTINGS,
});
