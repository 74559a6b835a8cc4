import { dirname, join, relative } from "node:path";
import { createVitest, type TestModule, type TestSpecification, type Vitest } from "vitest/node";
import { applyEdit, type Mutant } from "./mutant";

/**
 * Tests of the machine: its table, its SQL, and the verbs, tasks and agents that go through them. Those of the worker's
 * loop are left out, because they wait for times that pass.
 */
const TESTS = [
  "src/server/machine/**/*.test.ts",
  "src/server/db/{sql,tasks}/**/*.test.ts",
  "src/server/{chat,agents,tasks,worker}/*.test.ts",
  "src/server/{api/unread,turn/claimed-history}.test.ts",
];
const NOT_TESTED = ["**/*.deep.test.ts", "**/*.wire.test.ts", "**/create-worker.test.ts"];

/** A mutant may let a test wait for ever, and must not hold up the others. */
const TEST_TIMEOUT_MS = 20_000;
const POLL_TIMEOUT_MS = 10_000;

/** Tests that are tried before the others: each of a run costs time, even if the first one fails. */
const MAX_LIKELY = 5;

export type MutantRunner = {
  /** Runs all tests without a mutant. @throws {Error} if one fails. */
  rehearse: () => Promise<void>;
  /** @returns the first test that fails with the mutant; undefined if none does. @throws {Error} if none loads its file. */
  findFailure: (mutant: Mutant) => Promise<string | undefined>;
  close: () => Promise<void>;
};

const findFailedModule = (modules: readonly TestModule[]): TestModule | undefined =>
  modules.find((module) => !module.ok());

const describeFailure = (module: TestModule): string => {
  const [test] = module.children.allTests("failed");
  return test ? test.fullName : `${module.moduleId} does not load`;
};

/**
 * Orders the tests so that a mutant is seen soon: first what has seen others of its file, the latest first, then what
 * is in its folder, then the quickest. Runners share it.
 */
export const createTestOrder = () => {
  const durations = new Map<string, number>();
  const seenByFile = new Map<string, string[]>();
  return {
    sort: (tests: TestSpecification[], file = ""): TestSpecification[] => {
      const seen = seenByFile.get(file) ?? [];
      const rank = ({ moduleId }: TestSpecification): number => {
        const place = seen.indexOf(moduleId);
        if (place >= 0) return place - seen.length;
        return moduleId.includes(`${dirname(file)}/`) ? 0 : 1;
      };
      const readDuration = ({ moduleId }: TestSpecification) => durations.get(moduleId) ?? 0;
      return tests.sort(
        (one, other) => rank(one) - rank(other) || readDuration(one) - readDuration(other),
      );
    },
    addDurations: (modules: readonly TestModule[]): void => {
      for (const module of modules) durations.set(module.moduleId, module.diagnostic().duration);
    },
    addSeen: (file: string, { moduleId }: TestModule): void => {
      const others = (seenByFile.get(file) ?? []).filter((one) => one !== moduleId);
      seenByFile.set(file, [moduleId, ...others]);
    },
  };
};

/** Keeps the order in which tests are given. */
class GivenOrder {
  sort = (tests: TestSpecification[]) => Promise.resolve(tests);
  shard = (tests: TestSpecification[]) => Promise.resolve(tests);
}

/** @param transform changes the text of a file, by its path from the root. */
const startVitest = async (
  root: string,
  transform: (path: string, code: string) => string | undefined,
): Promise<Vitest> => {
  const vitest = await createVitest(
    {
      root,
      config: false,
      watch: false,
      include: TESTS,
      exclude: NOT_TESTED,
      bail: 1,
      // One process and one database for all test files.
      isolate: false,
      // It would give the file as it was.
      fsModuleCache: false,
      fileParallelism: false,
      testTimeout: TEST_TIMEOUT_MS,
      hookTimeout: TEST_TIMEOUT_MS,
      expect: { poll: { timeout: POLL_TIMEOUT_MS } },
      reporters: [{}],
      sequence: { sequencer: GivenOrder },
    },
    {
      resolve: { alias: { "@": join(root, "src") } },
      plugins: [
        {
          name: "mutant",
          enforce: "pre",
          transform: (code, id) => transform(relative(root, id), code),
        },
      ],
    },
  );
  await vitest.standalone();
  return vitest;
};

/** @returns what has run; Vitest gives others, too, as an earlier run has left them. */
const runTests = async (
  vitest: Vitest,
  tests: TestSpecification[],
): Promise<readonly TestModule[]> => {
  const { testModules } = await vitest.runTestSpecifications(tests, true);
  const paths = new Set(tests.map(({ moduleId }) => moduleId));
  return testModules.filter(({ moduleId }) => paths.has(moduleId));
};

/**
 * Starts Vitest once. A mutant is applied while its file is transformed: files on disk never change.
 *
 * @param options.root the repository's folder.
 * @param options.tests parts of the paths of the tests that run.
 */
export const startMutantRunner = async ({
  root,
  tests,
  order,
}: {
  root: string;
  tests: readonly string[];
  order: ReturnType<typeof createTestOrder>;
}): Promise<MutantRunner> => {
  let current: Mutant | undefined;
  let isApplied = false;
  const vitest = await startVitest(root, (path, code) => {
    if (path !== current?.file) return undefined;
    isApplied = true;
    return applyEdit(code, current);
  });
  const specifications = (await vitest.globTestSpecifications()).filter(({ moduleId }) =>
    tests.some((part) => relative(root, moduleId).includes(part)),
  );
  if (specifications.length === 0)
    throw new Error(`no test has "${tests.join('" or "')}" in its path`);
  const apply = (mutant: Mutant | undefined): void => {
    for (const changed of [current, mutant]) {
      if (changed) vitest.invalidateFile(join(root, changed.file));
    }
    current = mutant;
    isApplied = false;
  };
  return {
    rehearse: async () => {
      apply(undefined);
      const modules = await runTests(vitest, specifications);
      const failed = findFailedModule(modules);
      if (failed) throw new Error(`without a mutant, a test fails: ${describeFailure(failed)}`);
      order.addDurations(modules);
    },
    findFailure: async (mutant) => {
      apply(mutant);
      const sorted = order.sort([...specifications], mutant.file);
      for (const batch of [
        sorted.slice(0, 1),
        sorted.slice(1, MAX_LIKELY),
        sorted.slice(MAX_LIKELY),
      ]) {
        if (batch.length === 0) continue;
        const failed = findFailedModule(await runTests(vitest, batch));
        if (!failed) continue;
        order.addSeen(mutant.file, failed);
        return describeFailure(failed);
      }
      if (!isApplied) throw new Error(`no test loads ${mutant.file}`);
      return undefined;
    },
    close: () => vitest.close(),
  };
};
