const MEGABYTE = 1024 * 1024;

/** What the processes of one command may use together. */
export type CommandLimits = {
  /** Memory of all processes, with the private `/tmp` and `/dev/shm`, in bytes. */
  memoryBytes: number;
  processes: number;
};

export type TreeLimits = CommandLimits & {
  /** Size of the workspace, in bytes of disk. */
  workspaceBytes: number;
};

/** Room for a data analysis or a build. */
export const DEFAULT_MEMORY_BYTES = 1024 * MEGABYTE;
/** A parallel build has some 50; a fork bomb shall not slow down the server. */
const MAX_PROCESSES = 256;

export const createCommandLimits = (memoryBytes = DEFAULT_MEMORY_BYTES): CommandLimits => ({
  memoryBytes,
  processes: MAX_PROCESSES,
});

/** What a sandbox gives to its commands. */
export type CommandResources = {
  limits: CommandLimits;
  /** The processors of all commands together, as `chooseProcessors` returns them. */
  processors: string;
};

/** Sizes of the private file systems, which are memory. */
export const TMP_BYTES = 256 * MEGABYTE;
export const SHARED_MEMORY_BYTES = 64 * MEGABYTE;

/** The largest file, in bytes: a whole workspace. */
const MAX_FILE_BYTES = 256 * MEGABYTE;
/** Of each process; the longest timeout of a command, as one without a timeout would never end. */
const MAX_CPU_SECONDS = 4 * 60 * 60;
const MAX_OPEN_FILES = 1024;
/** Signals and timers of all processes together, for which the kernel holds memory that is counted nowhere. */
const MAX_PENDING_SIGNALS = 4096;

/** Commands that may have all their processes at the same time, where the kernel counts these together. */
const COMMANDS_AT_ONCE = 4;

type ProcessLimit = {
  /** Its number for `prlimit`. */
  resource: number;
  value: number;
  /** The option of `ulimit`, and its unit in bytes or pieces. */
  option: string;
  unit: number;
};

/**
 * What the kernel limits by itself. The limit on data counts what a process can write to; one on the address space
 * would forbid Node.js and Java, which reserve far more than they use.
 */
const listLimits = ({ memoryBytes }: CommandLimits): readonly ProcessLimit[] => [
  { resource: 4, value: 0, option: "-c", unit: 1 },
  { resource: 2, value: memoryBytes, option: "-d", unit: 1024 },
  { resource: 1, value: MAX_FILE_BYTES, option: "-f", unit: 512 },
  { resource: 0, value: MAX_CPU_SECONDS, option: "-t", unit: 1 },
  { resource: 7, value: MAX_OPEN_FILES, option: "-n", unit: 1 },
];

/** The limits of a process in a sandbox, where its processes are the only ones of their account. */
export const listProcessLimits = (
  limits: CommandLimits,
): Pick<ProcessLimit, "resource" | "value">[] =>
  [
    ...listLimits(limits),
    { resource: 6, value: limits.processes },
    { resource: 11, value: MAX_PENDING_SIGNALS },
  ].map(({ resource, value }) => ({ resource, value }));

/**
 * Sets the limits in `bash`, without a sandbox. The kernel counts all threads of the account there, those of the server,
 * too, and no more than the machine has: room besides these is for several commands. A fork bomb would make thousands
 * before it is seen. An account that may have fewer keeps its own limit; root has none.
 */
export const createLimitScript = (limits: CommandLimits): string =>
  [
    ...listLimits(limits).map(({ option, value, unit }) => `ulimit ${option} ${value / unit}`),
    `{ read -r _ _ _ threads _ </proc/loadavg && ulimit -u $((\${threads#*/} + ${COMMANDS_AT_ONCE * limits.processes})) || :; } 2>/dev/null`,
  ].join(" && ");
