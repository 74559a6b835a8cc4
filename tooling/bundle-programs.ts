import { bundleProgram } from "../scripts/bundle-program.mjs";
import { SIDE_PROGRAMS } from "../scripts/side-programs.mjs";

/** Vitest calls it before the unit tests: a thread or a process cannot load TypeScript. */
export const setup = async (): Promise<void> => {
  for (const program of SIDE_PROGRAMS) await bundleProgram(program);
};
