// The stages of a test run: programs that check or test, one after the other.
import { readPlaywright, readVitest } from "./read-reports.mjs";

/** Tests choose their own databases and must never use the one of the environment. */
const ISOLATED = { DATABASE_URL: undefined };
const DATABASES = {
  embedded: { label: "embedded database", env: { ...ISOLATED, TEST_DATABASE_URL: undefined } },
  postgres: { label: "PostgreSQL", env: ISOLATED },
};

/** Creates a stage of a program of this repository or of a package. */
const nodeStage = (name, ...args) => ({ name, args: () => args, env: ISOLATED });

/** Creates a stage of a script of package.json. */
const npmStage = (name) => ({
  name,
  command: "npm",
  args: () => ["run", "--silent", name],
  env: ISOLATED,
});

const withDatabase = (database, args) => (run) =>
  database === "postgres" ? ["scripts/with-postgres.mjs", run.node, ...args(run)] : args(run);

const escapePattern = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Selects a test, or a file whose tests did not begin. On PostgreSQL, only files that use a database, see tooling/without-postgres.ts. */
const selectForVitest = (failure, database) => {
  if (failure?.test) return ["run", failure.file, "-t", `^${escapePattern(failure.test)}$`];
  if (failure) return ["run", failure.file];
  return database === "postgres" ? ["related", "src/test/database.ts", "--run"] : ["run"];
};

/** Creates a stage of tests of a project of vitest.config.ts. */
const vitestStage = ({ name, project, database }) => ({
  name: `${name}, ${DATABASES[database].label}`,
  env: DATABASES[database].env,
  args: withDatabase(database, ({ report, failure }) => [
    "node_modules/vitest/vitest.mjs",
    ...selectForVitest(failure, database),
    `--project=${project}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]),
  read: readVitest,
});

/** Several tests of a loop have the same line. */
const selectForPlaywright = ({ file, line, test }) => [
  `${file}:${line}`,
  `--grep=${escapePattern(test)}`,
];

/** Creates a stage of tests of a project of playwright.config.ts. They need the production build. */
const playwrightStage = ({ name, project, database }) => ({
  name: `${name}, ${DATABASES[database].label}`,
  env: DATABASES[database].env,
  args: withDatabase(database, ({ failure }) => [
    "node_modules/@playwright/test/cli.js",
    "test",
    `--project=${project}`,
    ...(failure ? selectForPlaywright(failure) : []),
  ]),
  read: readPlaywright,
});

/** Programs that later stages and their types need. */
const PREPARATION = [
  nodeStage("generate", "node_modules/prisma/build/index.js", "generate"),
  nodeStage("types of the routes", "node_modules/next/dist/bin/next", "typegen"),
];
const BUILD = nodeStage("build", "scripts/build.mjs");

/** `npm test`, in order. A list of lanes runs them at the same time, as each uses one core. */
export const TEST_STAGES = [
  ...PREPARATION,
  [
    [npmStage("lint")],
    [
      ...["rooms", "dead", "check:docs", "format:check"].map(npmStage),
      nodeStage("types", "node_modules/typescript/bin/tsc", "--noEmit"),
    ],
  ],
  vitestStage({ name: "unit tests", project: "unit", database: "embedded" }),
  vitestStage({ name: "unit tests", project: "unit", database: "postgres" }),
  vitestStage({ name: "stories in Chromium", project: "storybook", database: "embedded" }),
  BUILD,
  nodeStage("benchmark smoke test", "bench/run.mjs", "--smoke"),
  playwrightStage({ name: "browser tests", project: "chromium", database: "embedded" }),
  playwrightStage({ name: "browser tests", project: "chromium", database: "postgres" }),
];

/** `npm run test:deep`: tests that measure, take long, or repeat what is random. */
export const DEEP_STAGES = [
  ...PREPARATION,
  vitestStage({ name: "deep unit tests", project: "deep", database: "embedded" }),
  vitestStage({ name: "deep unit tests", project: "deep", database: "postgres" }),
  BUILD,
  playwrightStage({ name: "deep browser tests", project: "deep", database: "embedded" }),
];
