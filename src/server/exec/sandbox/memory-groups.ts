import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { isProcessAlive } from "@/lib/is-process-alive";
import type { MemoryGroup, Sandbox } from "./sandbox";

/** Where groups of commands are made: a directory of the hierarchy that limits memory. */
export type GroupPlace = { version: 1 | 2; directory: string };

/** Creates the group of a command, which is made by `memory-group.pl` as it says in a variable. */
type CreateMemoryGroup = () => { group: MemoryGroup; env: Record<string, string> };

export type FoundMemoryGroups = {
  /** Undefined where commands have no groups. */
  createGroup?: CreateMemoryGroup;
  /** A sentence for the log. */
  outcome: string;
};

/** `memory-group.pl` reads it. */
const GROUP_VARIABLE = "PARLEY_EXEC_MEMORY_GROUP";

/** By this name, an operator says that the group above it is for Parley alone. */
const SERVER_GROUP = "parley-server";

const PREFIX = "parley-command-";

/** Groups of systemd, which may have others below it only where an operator delegates them. */
const UNIT = /\.(?:slice|service|scope)$/;

type Interface = { events: string; limit: (bytes: number) => readonly [string, number][] };

/** The first file of a limit is what makes it one; others are missing on some systems. */
const INTERFACES: Record<GroupPlace["version"], Interface> = {
  1: {
    events: "memory.oom_control",
    limit: (bytes) => [
      ["memory.limit_in_bytes", bytes],
      // With what is swapped.
      ["memory.memsw.limit_in_bytes", bytes],
      // Memory of TCP and UDP is limited separately, and not at all without this.
      ["memory.kmem.tcp.limit_in_bytes", bytes],
    ],
  },
  2: {
    events: "memory.events",
    limit: (bytes) => [
      ["memory.max", bytes],
      ["memory.swap.max", 0],
      // All processes end with one of them.
      ["memory.oom.group", 1],
    ],
  },
};

/**
 * Finds where commands may have memory cgroups of their own, and removes what servers left that have ended. Where groups
 * belong to somebody else, such as systemd, none are made. Never rejects.
 */
export const findMemoryGroups = async (memoryBytes: number): Promise<FoundMemoryGroups> => {
  try {
    const place = findGroupPlace(readText("/proc/self/cgroup"), readText("/proc/self/mountinfo"));
    if (!place) return { outcome: NOT_DELEGATED };
    removeLeftGroups(place.directory);
    const limit = await probePlace(place, memoryBytes);
    const outcome = `Each command has a memory cgroup of its own in ${place.directory}.`;
    return { createGroup: () => createGroup(place, limit), outcome };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: `Commands have no memory cgroups of their own: ${reason}.` };
  }
};

const NOT_DELEGATED =
  "Commands have no memory cgroups of their own, as none is delegated to the server.";

/** Starts each command of a sandbox in a group of its own. */
export const addMemoryGroups = (
  sandbox: Sandbox,
  { createGroup: create }: FoundMemoryGroups,
): Sandbox =>
  create
    ? {
        ...sandbox,
        launch: (command) => {
          const launch = sandbox.launch(command);
          const { group, env } = create();
          return { ...launch, env: { ...launch.env, ...env }, memoryGroup: group };
        },
      }
    : sandbox;

/**
 * Finds the group that may have those of commands below it. In version 2 a group with processes can have none, so it is
 * the one above the server's, which the name of the server's says is delegated. In version 1 it is the server's own,
 * unless that is one of systemd or of the whole machine.
 *
 * @param cgroups the text of `/proc/self/cgroup`.
 * @param mounts the text of `/proc/self/mountinfo`.
 */
export const findGroupPlace = (cgroups: string, mounts: string): GroupPlace | undefined => {
  const groups = cgroups.split("\n").map(parseGroup);
  const first = groups.find(({ controllers }) => controllers.includes("memory"));
  if (first) {
    if (UNIT.test(first.path) || first.path === "/") return undefined;
    const directory = findDirectory(first.path, mounts, isMemoryHierarchy);
    return directory === undefined ? undefined : { version: 1, directory };
  }
  const second = groups.find(({ hierarchy }) => hierarchy === "0");
  if (!second || path.posix.basename(second.path) !== SERVER_GROUP) return undefined;
  const isUnified = ({ type }: Mount): boolean => type === "cgroup2";
  const directory = findDirectory(path.posix.dirname(second.path), mounts, isUnified);
  return directory === undefined ? undefined : { version: 2, directory };
};

/** A line such as `4:cpu,memory:/path`. */
const parseGroup = (line: string) => {
  const [hierarchy = "", controllers = "", ...rest] = line.split(":");
  return { hierarchy, controllers: controllers.split(","), path: rest.join(":") };
};

type Mount = { root: string; directory: string; type: string; options: string[] };

const isMemoryHierarchy = ({ type, options }: Mount): boolean =>
  type === "cgroup" && options.includes("memory");

/** In a container, the mount may begin with a group of the path. */
const findDirectory = (
  group: string,
  mounts: string,
  isHierarchy: (mount: Mount) => boolean,
): string | undefined => {
  // Above the root of its namespace.
  if (group.startsWith("/..")) return undefined;
  for (const mount of mounts.split("\n").map(parseMount)) {
    const inside = path.posix.relative(mount.root, group);
    if (!isHierarchy(mount) || inside === ".." || inside.startsWith("../")) continue;
    return path.posix.join(mount.directory, inside);
  }
  return undefined;
};

/** As in proc(5): fields before the dash, of which the last ones are optional, and three after it. */
const parseMount = (line: string): Mount => {
  const [before = "", after = ""] = line.split(" - ");
  const [, , , root = "", directory = ""] = before.split(" ").map(decodeOctal);
  const [type = "", , options = ""] = after.split(" ");
  return { root, directory, type, options: options.split(",") };
};

const decodeOctal = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 8)),
  );

/**
 * Makes a group as a command would, and a process enters it.
 *
 * @returns the files that limit a group here, with their values.
 * @throws {Error} when that fails.
 */
const probePlace = async (
  { version, directory }: GroupPlace,
  memoryBytes: number,
): Promise<string[]> => {
  if (version === 2) enableMemory(directory);
  const group = path.join(directory, newName());
  mkdirSync(group);
  try {
    const [needed, ...optional] = INTERFACES[version].limit(memoryBytes);
    const limit = [needed, ...optional].flatMap((file) =>
      file && writeLimit(group, file, file === needed) ? [file.join("=")] : [],
    );
    await promisify(execFile)("/bin/sh", ["-c", 'echo 0 >"$0"', path.join(group, "cgroup.procs")]);
    return limit;
  } finally {
    await removeGroup(group);
  }
};

/** Groups get what the one above gives to those below it. */
const enableMemory = (directory: string): void => {
  const file = path.join(directory, "cgroup.subtree_control");
  if (!readText(file).trim().split(" ").includes("memory")) writeFileSync(file, "+memory");
};

const writeLimit = (
  group: string,
  [name, value]: readonly [string, number],
  isNeeded: boolean,
): boolean => {
  try {
    writeFileSync(path.join(group, name), String(value));
    return true;
  } catch (error) {
    if (isNeeded) throw error;
    return false;
  }
};

/** The process is that of the server, by which it is known later whether the server has ended. */
const newName = (): string => `${PREFIX}${process.pid}-${randomBytes(6).toString("hex")}`;

const createGroup = (
  { version, directory }: GroupPlace,
  limit: readonly string[],
): ReturnType<CreateMemoryGroup> => {
  const group = path.join(directory, newName());
  if (version === 1) prepareMove(directory);
  const events = path.join(group, INTERFACES[version].events);
  return {
    group: {
      hasKilled: () => /^oom_kill [1-9]/m.test(readTextIfThere(events)),
      remove: () => removeGroup(group),
    },
    env: { [GROUP_VARIABLE]: [group, ...limit].join("\n") },
  };
};

/**
 * Moves this process into the group that it is in. The kernel makes the first move wait for some ms, and others soon
 * after it not, so that a command need not wait.
 */
const prepareMove = (ownGroup: string): void => {
  writeFile(path.join(ownGroup, "cgroup.procs"), "0").catch(() => undefined);
};

const REMOVE_RETRY_MS = 10;
const REMOVE_RETRIES = 50;

/** The kernel keeps a group for a moment after the end of its processes. The next server removes what is left. */
const removeGroup = async (group: string): Promise<void> => {
  for (let tries = 0; tries < REMOVE_RETRIES; tries++) {
    try {
      await rmdir(group);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EBUSY") return;
      await delay(REMOVE_RETRY_MS);
    }
  }
};

/** Those with processes cannot be removed. */
const removeLeftGroups = (directory: string): void => {
  for (const name of readdirSync(directory)) {
    const server = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : NaN;
    if (Number.isNaN(server) || isProcessAlive(server)) continue;
    try {
      rmdirSync(path.join(directory, name));
    } catch {
      // It is in use, or another server removes it.
    }
  }
};

const readText = (file: string): string => readFileSync(file, "utf8");

const readTextIfThere = (file: string): string => {
  try {
    return readText(file);
  } catch {
    return "";
  }
};
