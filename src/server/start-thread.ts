import { join } from "node:path";
import type { Worker } from "node:worker_threads";

/**
 * Starts the program of a thread, which may be ended at any time. It keeps no process alive.
 *
 * @param program its name, without extension.
 * @param maxHeapMb at which the thread ends by itself, in megabytes.
 * @param maxYoungMb what the heap has besides for new objects, if it is not to be as much as V8 likes.
 */
export const startThread = (program: string, maxHeapMb: number, maxYoungMb?: number): Worker => {
  // An import would let Next.js look for the program when it builds, but it is bundled after that.
  const threads = process.getBuiltinModule("node:worker_threads");
  const thread = new threads.Worker(toProgramPath(program), {
    // A thread needs no secrets and none of the options of the process.
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: maxHeapMb,
      ...(maxYoungMb !== undefined && { maxYoungGenerationSizeMb: maxYoungMb }),
    },
  });
  thread.unref();
  // Without a listener, an error would end the process.
  thread.on("error", () => undefined);
  return thread;
};

/** Where `scripts/bundle-program.mjs` writes the programs of threads. */
const toProgramPath = (program: string): string =>
  join(process.cwd(), ".next/programs", `${program}.mjs`);
