import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ToolCallPart } from "@/contract/part";
import type { Api } from "./api";

/** A program of `examples` in a process of its own. */
export type ExampleProgram = {
  signal: (signal: NodeJS.Signals) => void;
  /** Resolves with its exit code; null when a signal has ended it. */
  ended: Promise<number | null>;
  output: () => string;
};

/** A folder in which examples run. */
export const createExampleFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-example-"));
  const programs: ExampleProgram[] = [];
  const at = (name: string): string => join(folder, name);
  return {
    at,
    write: (name: string, text: string): void => writeFileSync(at(name), text),
    /** Lines of a file that may not exist yet. */
    lines: (name: string): string[] => readLines(at(name)),
    start: (file: string, args: readonly string[], env: Record<string, string>): ExampleProgram => {
      const program = startExample(file, args, { env, folder });
      programs.push(program);
      return program;
    },
    /** Kills its programs. */
    remove: async (): Promise<void> => {
      for (const { signal } of programs) signal("SIGKILL");
      await Promise.all(programs.map(({ ended }) => ended));
      rmSync(folder, { recursive: true });
    },
  };
};

export type ExampleFolder = ReturnType<typeof createExampleFolder>;

const startExample = (
  file: string,
  args: readonly string[],
  { env, folder }: { env: Record<string, string>; folder: string },
): ExampleProgram => {
  const child = spawn(process.execPath, [resolve("examples", file), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return {
    signal: (signal) => void child.kill(signal),
    ended: once(child, "close").then(([code]) => code as number | null),
    output: () => output,
  };
};

const readLines = (file: string): string[] => {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
};

/** Of the dynamic tools of a chat, in order. */
export const listCalls = async (api: Api, chatId: string): Promise<ToolCallPart[]> =>
  (await api.history(chatId)).messages
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === "tool_call");
