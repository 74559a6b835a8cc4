import { bundleProgram } from "../scripts/bundle-program.mjs";
import { THREAD_PROGRAMS } from "../scripts/thread-programs.mjs";

/** Vitest calls it before the unit tests: a thread cannot load TypeScript. */
export const setup = async (): Promise<void> => {
  for (const thread of THREAD_PROGRAMS) await bundleProgram(thread);
};
