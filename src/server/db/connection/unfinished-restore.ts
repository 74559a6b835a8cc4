import { existsSync } from "node:fs";
import path from "node:path";

/** Where a restore prepares what it moves to its place at the end. It is removed when all is there. */
export const toRestoreDirectory = (dataDir: string): string =>
  path.join(/* turbopackIgnore: true */ dataDir, "restore");

/** @throws {Error} a sentence, when a restore has not ended: parts of it may be missing. */
export const requireNoRestore = (dataDir: string): void => {
  const directory = toRestoreDirectory(dataDir);
  if (!existsSync(/* turbopackIgnore: true */ directory)) return;
  throw new Error(
    `A restore into ${dataDir} runs, or was interrupted: when it does not run, start it again with \`npm run restore -- FILE\`.`,
  );
};
