import { bundleProgram } from "../scripts/bundle-program.mjs";

/** Vitest calls it before the unit tests: a thread cannot load TypeScript. */
export const setup = async (): Promise<void> => {
  await bundleProgram("src/server/tools/validation-thread.ts");
};
