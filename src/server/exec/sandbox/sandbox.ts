/** A command as a session starts it. No text may contain a NUL character. */
export type SandboxedCommand = {
  /** The program and its arguments; no shell is added. */
  argv: readonly string[];
  /** The chat's workspace, an absolute path of the host, which was prepared. */
  workspace: string;
  /** A second directory that the command may write, an absolute path of the host, which was prepared likewise. */
  callDirectory?: string;
  /** The socket of a proxy on the host, by which a command without the network of the host reaches others. */
  proxySocket?: string | undefined;
  /** Relative to the workspace, `""` for the workspace itself. The directory exists. */
  cwd: string;
  /** Whether it has the network of the host, with loopback; none by default. */
  network?: boolean;
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>;
};

/** The memory cgroup of a command. */
export type MemoryGroup = {
  /** Whether the kernel has ended a process because all of them together used too much memory. */
  hasKilled: () => boolean;
  /** Removes it after the end of the command, if it was made. Never rejects. */
  remove: () => Promise<void>;
};

/**
 * What to start on the host, by `spawn(file, args, { cwd, env, detached })` or in a pseudo-terminal.
 * `detached` starts a session of its own, without the terminal that the server may have; a
 * pseudo-terminal is one by itself.
 */
export type Launch = {
  file: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  detached: true;
  /** Whether the processes have their own `/tmp`, and end with their first one. */
  isolated: boolean;
  /** Where each command has a group of its own; the first process makes it. */
  memoryGroup?: MemoryGroup;
};

/**
 * A way to run commands. With `bubblewrap` and `unshare`, a command sees the system's programs
 * and those of `PARLEY_EXEC_PATHS` read-only, its workspace and nothing else of the host; it has no network unless
 * the command asks for that; all its processes end with its first one, and with the server. With `none`, it runs as a plain process of the server's
 * account.
 *
 * What was started ends by the same signal or with the same exit code as the command.
 */
export type Sandbox = {
  kind: "bubblewrap" | "unshare" | "none";
  /** Variables that all commands have, such as `PATH`. */
  environment: Readonly<Record<string, string>> & { readonly PATH: string };
  /** Where the command finds a workspace, as an absolute path. */
  workspacePath: (workspace: string) => string;
  /** The home of a command, as an absolute path: its workspace, or what the model does not write to. */
  homePath: (workspace: string) => string;
  /** Where the command finds its second directory, as an absolute path. */
  callDirectoryPath: (callDirectory: string) => string;
  /**
   * Makes a private directory one that commands can start in, before the first of them. With a server of root, the
   * directory and all that root owns in it become the commands'; commands start in no other directory.
   *
   * @throws {Error} when it is not a private directory.
   */
  prepareWorkspace: (directory: string) => Promise<void>;
  launch: (command: SandboxedCommand) => Launch;
};
