import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { ExecSandboxMode } from "@/server/env";
import { createBubblewrap } from "./bubblewrap";
import { type HostPrograms, SYSTEM_PROGRAMS } from "./host-programs";
import { inspectHost, type HostSystem } from "./host-system";
import { type CommandResources, createCommandLimits } from "./limits";
import { addMemoryGroups, findMemoryGroups } from "./memory-groups";
import { createPlainProcess } from "./plain-process";
import type { Sandbox } from "./sandbox";
import { createUnshare } from "./unshare";

/** What failed is a sentence for the log, the settings and the list of tools. */
export type FoundSandbox = {
  /** Undefined where commands cannot be run, or may not. */
  sandbox: Sandbox | undefined;
  failures: { kind: Sandbox["kind"]; reason: string }[];
  /** Whether commands have memory cgroups of their own, as a sentence for the log. */
  memoryGroups?: string;
};

type FindOptions = {
  /** What no command may see, wherever it lies: the data directory; the server's files and its home are added. */
  privateDirectories: readonly string[];
  /** What commands see of the host besides the system; nothing when left out. */
  programs?: HostPrograms;
  /** The home of commands that run without a sandbox; by default a new directory. */
  plainHome?: string;
  /** The usual limits of a command and all processors when left out. */
  resources?: CommandResources;
};

const USUAL_RESOURCES: CommandResources = { limits: createCommandLimits(), processors: "" };

/** A sandbox starts in a few ms; a machine under load takes longer. */
const PROBE_TIMEOUT_MS = 10_000;

type IsolatingKind = "bubblewrap" | "unshare";
type CreateSandbox = (host: HostSystem, isRoot: boolean, resources: CommandResources) => Sandbox;
const CREATE: Record<IsolatingKind, CreateSandbox> = {
  bubblewrap: createBubblewrap,
  unshare: createUnshare,
};

/** @returns those that are tried, the first one first. */
const listKinds = <Kind extends Sandbox["kind"]>(mode: Kind | "auto") =>
  mode === "auto" ? (["bubblewrap", "unshare"] as const) : ([mode] as const);

const LINUX_ONLY = "Commands can be run on Linux only.";

/** Finds a sandbox that works here, by running a command in it, and memory cgroups for its commands. Never rejects. */
export const findSandbox = async (
  mode: ExecSandboxMode,
  options: FindOptions,
): Promise<FoundSandbox> => {
  const { sandbox, failures } = await findKind(mode, options);
  if (!sandbox) return { sandbox, failures };
  const { limits } = options.resources ?? USUAL_RESOURCES;
  const groups = await findMemoryGroups(limits.memoryBytes);
  return {
    sandbox: addMemoryGroups(sandbox, groups),
    failures,
    memoryGroups: groups.outcome,
  };
};

const findKind = async (
  mode: ExecSandboxMode,
  {
    privateDirectories,
    programs = SYSTEM_PROGRAMS,
    plainHome: home,
    resources = USUAL_RESOURCES,
  }: FindOptions,
): Promise<FoundSandbox> => {
  if (mode === "off") return { sandbox: undefined, failures: [] };
  if (process.platform !== "linux") {
    return { sandbox: undefined, failures: [{ kind: listKinds(mode)[0], reason: LINUX_ONLY }] };
  }
  if (mode === "none") {
    const { limits } = resources;
    const options = { programs, limits, ...(home !== undefined && { home }) };
    return { sandbox: createPlainProcess(randomUUID, options), failures: [] };
  }
  const host = inspectHost([...privateDirectories, process.cwd(), os.homedir()], programs);
  const failures: FoundSandbox["failures"] = [];
  for (const kind of listKinds(mode)) {
    try {
      const sandbox = CREATE[kind](host, process.getuid?.() === 0, resources);
      await probeSandbox(sandbox);
      return { sandbox, failures };
    } catch (error) {
      failures.push({ kind, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { sandbox: undefined, failures };
};

/** Ends with another word where the sandbox does not isolate as promised. */
const PROBE = `
set -e
[ "$(echo /proc/[0-9]* | wc -w)" -lt 10 ] || fail="shows the processes of the host"
[ "$(id -u)" != 0 ] || fail="runs as root"
: >probe
(: >/probe) 2>/dev/null && fail="can write to /"
(: >/usr/probe) 2>/dev/null && fail="can write to /usr"
[ "$(grep -c : /proc/net/dev)" -le 1 ] || fail="has a network"
unshare --user true 2>/dev/null && fail="can create user namespaces"
grep -qs '^CapEff:.*[1-9a-f]' /proc/self/status && fail="has privileges"
echo "\${fail:-isolated}"
`;

/** @throws {Error} a sentence that says why the sandbox does not work. */
const probeSandbox = async (sandbox: Sandbox): Promise<void> => {
  const workspace = await mkdtemp(path.join(os.tmpdir(), "parley-sandbox-"));
  try {
    await sandbox.prepareWorkspace(workspace);
    const { file, args, cwd, env } = sandbox.launch({
      argv: ["/bin/sh", "-c", PROBE],
      workspace,
      cwd: "",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    });
    const { stdout } = await promisify(execFile)(file, args, {
      cwd,
      env,
      timeout: PROBE_TIMEOUT_MS,
    }).catch((error: unknown) => {
      throw new Error(describeFailure(error), { cause: error });
    });
    const answer = stdout.trim();
    if (answer !== "isolated") throw new Error(`It does not isolate: a command ${answer}.`);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
};

/** Processes of a new namespace cannot be shown where something covers a part of the present `/proc`. */
const NO_MOUNTS = /^mount: |Can't (?:bind )?mount|make \/ slave/;
/** A limit of zero namespaces is reported as "unshare: No space left on device". */
const NO_NAMESPACES = /permission|not permitted|namespace|uid map|^unshare: No space/i;

const describeFailure = (error: unknown): string => {
  const lines = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  const last = lines.split("\n").at(-1);
  if (!last) return "It does not start.";
  if (NO_MOUNTS.test(last)) {
    return `This system forbids the mounts of a sandbox, as when a part of /proc is covered (${last}).`;
  }
  return NO_NAMESPACES.test(last)
    ? `This system forbids user namespaces (${last}).`
    : `It does not start: ${last}.`;
};
