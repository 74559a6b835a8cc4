/** What a command takes of the disk while it runs. */
export type TrackedDisk = {
  /**
   * What the workspace had before the command, in bytes. A promise where counting has begun before the command and goes
   * on; undefined where nobody has counted.
   */
  sizeAtStart: number | Promise<number> | undefined;
  /** Replaces what was reported before: what the workspace has by name, and what only the command still has. */
  report: (bytes: { named: number; unlinked: number }) => void;
  /** What this workspace takes with all commands in it, and what may be written until all workspaces are full. */
  sizes: () => { workspaceBytes: number; roomInAll: number };
  /**
   * Whether all workspaces together are over their limit. It is false as long as that is not certain; what makes it so
   * goes on meanwhile.
   */
  isFull: () => boolean;
  /** Ends the counting; the workspace is measured once more. Does not throw. */
  end: () => void;
};

/**
 * How far over a limit of disk commands may still start, in bytes: they may read and remove files. Each command is ended
 * some time after it exceeds a limit, so without this, many that are ended would fill any disk.
 */
export const MAX_OVERRUN_BYTES = 100 * 1024 * 1024;

/** What a command takes where nothing else counts to a limit. */
export const trackAlone = (): TrackedDisk => {
  let workspaceBytes = 0;
  return {
    sizeAtStart: undefined,
    report: ({ named, unlinked }) => (workspaceBytes = named + unlinked),
    sizes: () => ({ workspaceBytes, roomInAll: Number.POSITIVE_INFINITY }),
    isFull: () => false,
    end: () => undefined,
  };
};
