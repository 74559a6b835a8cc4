import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { build } from "vite";

/** A program of src/test/programs in a separate process. */
export type Program = {
  pid: number;
  /** Lines of its standard output so far. */
  lines: string[];
  /** Resolves when it has printed `count` lines; rejects when it exits before. */
  waitForLines: (count: number) => Promise<void>;
  /** Kills it with SIGKILL, like a crash. */
  kill: () => Promise<void>;
};

/**
 * Starts `src/test/programs/<name>.ts`; the test must call `kill`.
 *
 * @param launcher a command that becomes the program, such as `unshare` with its options.
 */
export const startProgram = async (
  name: string,
  parameters: string[],
  launcher: readonly string[] = [],
): Promise<Program> => {
  const [command = "", ...args] = [
    ...launcher,
    process.execPath,
    await bundleTestProgram(name),
    ...parameters,
  ];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const lines: string[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const pieces = (rest + chunk.toString()).split("\n");
    rest = pieces.pop() ?? "";
    lines.push(...pieces);
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  return {
    pid: getPid(child),
    lines,
    waitForLines: async (count) => {
      while (lines.length < count) {
        const event = await Promise.race([once(child.stdout, "data"), ended.then(() => "ended")]);
        if (event === "ended") throw new Error(`${name} ended: ${errors}`);
      }
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
};

const getPid = ({ pid }: ChildProcess): number => {
  if (pid === undefined) throw new Error("the program could not be started");
  return pid;
};

const bundled = new Map<string, Promise<string>>();

/** Bundles a program once for this process. @returns the file. */
export const bundleTestProgram = (name: string): Promise<string> => {
  const file = bundled.get(name) ?? bundle(name);
  bundled.set(name, file);
  return file;
};

/** Bundles into node_modules, so that imports of packages resolve. */
const bundle = async (name: string): Promise<string> => {
  const outDir = path.resolve("node_modules/.cache/parley/programs");
  const file = `${name}-${process.pid}.mjs`;
  await build({
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "@": path.resolve("src") } },
    build: {
      ssr: `src/test/programs/${name}.ts`,
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      target: "node22",
      rolldownOptions: { output: { entryFileNames: file, codeSplitting: false } },
    },
  });
  return path.join(outDir, file);
};
