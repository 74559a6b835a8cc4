import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { findSourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** A named function that has run. */
export type RunFunction = {
  name: string;
  /** Path of its source from the folder of sources. */
  file: string;
};

/** What runs in each of these runs belongs to the message; a timer of the process does not. */
const RUNS = 3;

/**
 * Records the named functions of this program's bundle that run each time.
 *
 * @param source.bundle URL of the program's only file, which has a source map.
 * @param source.folder of the sources that count, such as `src/server/`.
 * @param run runs once more before: what is made once in a process is not counted.
 */
export const recordFunctions = async (
  { bundle, folder }: { bundle: string; folder: string },
  run: () => Promise<void>,
): Promise<RunFunction[]> => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  /** @returns the names by the offset of the function. Each reading sets the counts to 0. */
  const takeNames = async (): Promise<Map<number, string>> => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const functions = result.find(({ url }) => url === bundle)?.functions ?? [];
    return new Map(
      functions.flatMap(({ functionName, ranges: [range] }) =>
        functionName !== "" && range && range.count > 0 ? [[range.startOffset, functionName]] : [],
      ),
    );
  };
  await run();
  await takeNames();
  const recorded: Map<number, string>[] = [];
  for (let count = 0; count < RUNS; count++) {
    await run();
    recorded.push(await takeNames());
  }
  session.disconnect();
  const findFile = createFileFinder(fileURLToPath(bundle), folder);
  return [...(recorded[0] ?? [])].flatMap(([offset, name]) => {
    if (!recorded.every((names) => names.has(offset))) return [];
    const file = findFile(offset);
    // The bundler numbers equal names of different files.
    return file === undefined ? [] : [{ name: name.replace(/\$\d+$/, ""), file }];
  });
};

/** @returns a function that finds the file of an offset in the bundle; undefined outside the folder. */
const createFileFinder = (path: string, folder: string) => {
  const map = findSourceMap(path);
  if (!map) throw new Error(`${path} has no source map, or Node.js runs without them`);
  const text = readFileSync(path, "utf8");
  return (offset: number): string | undefined => {
    const before = text.slice(0, offset).split("\n");
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    if (!("originalSource" in entry)) return undefined;
    const [, file] = entry.originalSource.split(folder);
    return file;
  };
};
