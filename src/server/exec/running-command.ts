import { type ChildProcessByStdio, spawn as spawnChild } from "node:child_process";
import { writeSync } from "node:fs";
import { Socket, type SocketConstructorOpts } from "node:net";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { spawn as spawnPty } from "@lydell/node-pty";
import type { Launch } from "@/server/exec/sandbox/sandbox";
import type { TerminalSize } from "./terminal-messages";

/** How a command ended by itself or by a signal. */
export type CommandEnd = { exitCode?: number; signal?: string };

export type RunningCommand = {
  /** Of the process whose tree is the command. */
  pid: number;
  /** Resolves when it has ended and all its output has come; rejects if it could not be started. */
  ended: Promise<CommandEnd>;
  write: (text: string) => void;
  /** Whether the command is known to read no input any more: a write may show that only later. */
  isInputClosed: () => boolean;
  /** Bytes that were written and that the command has not read. */
  unreadInput: () => number;
  setPaused: (isPaused: boolean) => void;
  resize: (size: TerminalSize) => void;
};

export type StartOptions = {
  launch: Launch;
  hasInput: boolean;
  /** Of a terminal. */
  size: TerminalSize;
  /** The bytes are overwritten after the call. */
  onOutput: (bytes: Buffer) => void;
  /** Called when the process has ended; others that it started may still keep its output open. */
  onExit: () => void;
};

/**
 * Starts a command whose output and errors come through one pipe, in the order in which they were written. It has
 * no terminal, not even that of the server, as it begins a session of its own.
 */
export const startPiped = ({
  launch,
  hasInput,
  onOutput,
  onExit,
}: StartOptions): RunningCommand => {
  const merged = ["-c", 'exec "$0" "$@" 2>&1', launch.file, ...launch.args];
  const child: ChildProcessByStdio<Writable | null, Readable, null> = spawnChild(
    "/bin/sh",
    merged,
    {
      cwd: launch.cwd,
      env: launch.env,
      detached: launch.detached,
      stdio: [hasInput ? "pipe" : "ignore", "pipe", "ignore"] as ["pipe", "pipe", "ignore"],
    },
  );
  const { promise: ended, resolve, reject } = Promise.withResolvers<CommandEnd>();
  const stdout = readIntoOneBuffer(child.stdout, onOutput);
  // Not by `once`, which rejects at an error: then the output ends there, and the command as well.
  const closed = new Promise<void>((close) => stdout.once("close", () => close()));
  let isInputClosed = !hasInput;
  child.stdin?.on("error", () => (isInputClosed = true));
  child.once("error", reject);
  child.once("exit", (code, signal) => {
    isInputClosed = true;
    onExit();
    closed.then(() => resolve(toEnd(code, signal)), reject);
  });
  return {
    pid: child.pid ?? 0,
    ended,
    write: (text) => {
      if (!isInputClosed) child.stdin?.write(text);
    },
    isInputClosed: () => isInputClosed,
    unreadInput: () => child.stdin?.writableLength ?? 0,
    setPaused: (isPaused) => void (isPaused ? stdout.pause() : stdout.resume()),
    resize: () => undefined,
  };
};

/** What a pipe of the system holds, in bytes. */
const READ_BYTES = 64 * 1024;

/**
 * Reads an output into the same buffer again and again. Node allocates a buffer for each read otherwise, and frees
 * them so late that a fast command takes 60 MB. Only a socket can be given a buffer, and only when it is created,
 * so this one takes over the handle.
 */
const readIntoOneBuffer = (output: Readable, onOutput: (bytes: Buffer) => void): Socket => {
  const stream = output as Readable & { _handle: unknown };
  const { _handle: handle } = stream;
  stream._handle = null;
  output.destroy();
  const options = {
    handle,
    readable: true,
    onread: {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (length: number, buffer: Uint8Array) => {
        onOutput(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    },
  };
  const socket = new Socket(options as SocketConstructorOpts);
  // The end of its last process closes it, however that came.
  socket.on("error", () => socket.destroy());
  return socket.resume();
};

const toEnd = (code: number | null, signal: string | null): CommandEnd => ({
  ...(code !== null && { exitCode: code }),
  ...(signal !== null && { signal }),
});

/** What `node-pty` has besides its types: the stream of the terminal, and its descriptor. */
type PtyStream = { _socket: Socket; fd: number };

/** Time between two attempts to write what a program has not read. */
const WRITE_RETRY_MS = 20;

/**
 * Writes to a terminal as much as its program has room for, and the rest when it has read. Node would wait for that in
 * the thread of the server. The descriptor does not block. It closes before the end of the program is known, and may be
 * that of something else then.
 */
const createPtyWriter = ({ _socket: socket, fd }: PtyStream) => {
  let unread = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    if (socket.destroyed) return;
    try {
      while (unread.length > 0) unread = unread.subarray(writeSync(fd, unread));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") {
        timer = setTimeout(flush, WRITE_RETRY_MS).unref();
      } else unread = Buffer.alloc(0);
    }
  };
  return {
    write: (text: string): void => {
      unread = Buffer.concat([unread, Buffer.from(text)]);
      if (!timer) flush();
    },
    unreadBytes: (): number => unread.length,
    close: (): void => {
      clearTimeout(timer);
      unread = Buffer.alloc(0);
    },
  };
};

/** Starts a command in a terminal of its own. */
export const startPty = ({ launch, size, onOutput, onExit }: StartOptions): RunningCommand => {
  const pty = spawnPty(launch.file, launch.args, {
    name: "xterm-256color",
    cols: size.columns,
    rows: size.rows,
    cwd: launch.cwd,
    env: launch.env,
    encoding: null,
  });
  const stream = pty as unknown as PtyStream;
  const { _socket: socket } = stream;
  const writer = createPtyWriter(stream);
  const { promise: ended, resolve } = Promise.withResolvers<CommandEnd>();
  socket.on("close", writer.close);
  // With this listener, `node-pty` does not throw an error of the stream where nobody could catch it; its end follows.
  socket.on("error", () => undefined);
  // Without an encoding it sends bytes, which its types do not say.
  pty.onData((data: string | Buffer) => onOutput(Buffer.from(data as Buffer)));
  pty.onExit(({ exitCode, signal }) => {
    onExit();
    resolve(signal ? { signal: toSignalName(signal) } : { exitCode });
  });
  return {
    pid: pty.pid,
    ended,
    write: writer.write,
    // It closes with the command only.
    isInputClosed: () => false,
    unreadInput: writer.unreadBytes,
    setPaused: (isPaused) => {
      if (isPaused) pty.pause();
      else pty.resume();
    },
    resize: ({ columns, rows }) => {
      if (socket.destroyed) return;
      try {
        pty.resize(columns, rows);
      } catch {
        // The program has closed the terminal; the end of the stream follows.
      }
    },
  };
};

const toSignalName = (number: number): string =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `SIG${number}`;
