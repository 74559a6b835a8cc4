// npm run mutants: breaks the state table and the SQL of the machine piece by piece, and says which faults no test
// sees. Bundled and started by scripts/mutants.mjs.
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { EQUIVALENT_MUTANTS } from "./equivalent-mutants";
import { findMutants } from "./find-mutants";
import { describeMutant, type Mutant } from "./mutant";
import { createTestOrder, type MutantRunner, startMutantRunner } from "./mutant-runner";

const SOURCES = ["src/server/machine/table/*.ts", "src/server/db/sql/{machine,rows}/*.ts"];
const USAGE =
  "npm run mutants -- [--only PART_OF_A_PATH]... [--tests PART_OF_A_PATH]... [--limit NUMBER] [--list]";

type NamedMutant = { name: string; mutant: Mutant };

const listMutants = (): NamedMutant[] =>
  globSync(SOURCES, { exclude: ["**/*.test.ts"] })
    .sort()
    .flatMap((path) => {
      const source = readFileSync(path, "utf8");
      return findMutants(path, source).map((mutant) => ({
        name: describeMutant(source, mutant),
        mutant,
      }));
    });

/** Takes every n-th, so that a limited run has mutants of all files. */
const takeSample = <Item>(items: Item[], limit: number): Item[] => {
  const step = Math.max(1, items.length / limit);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
};

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [""] },
      tests: { type: "string", multiple: true, default: [""] },
      limit: { type: "string", default: "Infinity" },
      list: { type: "boolean", default: false },
    },
  });
  const limit = Number(values.limit);
  if (!(limit >= 1)) throw new Error("--limit needs a number from 1");
  return { ...values, limit };
};

const toSeconds = (startedAt: number): string =>
  ((performance.now() - startedAt) / 1_000).toFixed(1);

/** @returns the names of the mutants that no test sees. */
const runMutants = async (
  mutants: readonly NamedMutant[],
  tests: readonly string[],
): Promise<string[]> => {
  const survivors: string[] = [];
  const order = createTestOrder();
  const startRunner = () => startMutantRunner({ root: process.cwd(), tests, order });
  const first = await startRunner();
  const startedAt = performance.now();
  await first.rehearse();
  console.log(`all tests pass without a mutant, in ${toSeconds(startedAt)} s`);
  // Shared: each runner takes the next one.
  const queue = mutants.entries();
  const work = async (runner: MutantRunner): Promise<void> => {
    for (const [index, { name, mutant }] of queue) {
      const startedAt = performance.now();
      const failure = await runner.findFailure(mutant);
      if (failure === undefined) survivors.push(name);
      const result = failure === undefined ? "SURVIVED" : `seen by ${failure}`;
      const place = `${index + 1}/${mutants.length}, ${toSeconds(startedAt)} s`;
      console.log(`${place}: ${name}\n    ${result}`);
    }
    await runner.close();
  };
  // A survivor costs a run of all tests, so two run at a time.
  const runners = availableParallelism() > 1 ? [first, await startRunner()] : [first];
  await Promise.all(runners.map(work));
  return survivors;
};

const main = async (): Promise<boolean> => {
  const { only, tests, limit, list } = readOptions();
  const all = listMutants();
  const outdated = Object.keys(EQUIVALENT_MUTANTS).filter((known) =>
    all.every(({ name }) => name !== known),
  );
  if (outdated.length > 0) throw new Error(`no such mutant any more:\n${outdated.join("\n")}`);
  const found = all.filter(({ mutant }) => only.some((part) => mutant.file.includes(part)));
  const known = found.filter(({ name }) => name in EQUIVALENT_MUTANTS);
  const mutants = takeSample(
    found.filter(({ name }) => !(name in EQUIVALENT_MUTANTS)),
    limit,
  );
  if (list) {
    for (const { name } of mutants) console.log(name);
    return true;
  }
  const survivors = await runMutants(mutants, tests);
  console.log(`\n${mutants.length} mutants, ${known.length} more listed as changing nothing`);
  console.log(`${survivors.length} survived${survivors.length > 0 ? ":" : ""}`);
  for (const name of survivors) console.log(`  ${name}`);
  return survivors.length === 0;
};

try {
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
