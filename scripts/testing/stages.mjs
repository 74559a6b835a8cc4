// The stages of a test run: programs that check or test, one after the other.
import { dirname } from "node:path";
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

/** On PostgreSQL, only files that use a database, see tooling/without-postgres.ts. */
const ALL_OF_DATABASE = {
  embedded: ["run"],
  postgres: ["related", "src/test/database.ts", "--run"],
};

/** Selects a test, or a file whose tests did not begin. */
const selectForVitest = (failure, selection) => {
  if (failure?.test) return ["run", failure.file, "-t", `^${escapePattern(failure.test)}$`];
  return failure ? ["run", failure.file] : selection;
};

/**
 * Creates a stage of tests of a project of vitest.config.ts.
 *
 * @param selection the command of Vitest that finds the tests; by default all that the database makes a difference for.
 */
const vitestStage = ({ name, project, database, selection = ALL_OF_DATABASE[database] }) => ({
  name: `${name}, ${DATABASES[database].label}`,
  env: DATABASES[database].env,
  args: withDatabase(database, ({ report, failure }) => [
    "node_modules/vitest/vitest.mjs",
    ...selectForVitest(failure, selection),
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

/** Creates a stage of tests of a project of playwright.config.ts, by default all. They need the production build. */
const playwrightStage = ({ name, project, database, files = [] }) => ({
  name: `${name}, ${DATABASES[database].label}`,
  env: DATABASES[database].env,
  args: withDatabase(database, ({ failure }) => [
    "node_modules/@playwright/test/cli.js",
    "test",
    `--project=${project}`,
    ...(failure ? selectForPlaywright(failure) : files),
  ]),
  read: readPlaywright,
});

/** Programs that later stages and their types need. */
const PREPARATION = [
  nodeStage("generate", "node_modules/prisma/build/index.js", "generate"),
  nodeStage("types of the routes", "node_modules/next/dist/bin/next", "typegen"),
];
const BUILD = nodeStage("build", "scripts/build.mjs");

/** `npm test`, in order. A list of lanes runs them at the same time, as each uses about one core. */
export const TEST_STAGES = [
  ...PREPARATION,
  [
    [npmStage("lint")],
    [
      ...["types", "rooms", "dead", "check:docs", "format:check"].map(npmStage),
      // Late, as it writes the types of the routes again, which lint reads when it begins.
      BUILD,
      nodeStage("benchmark smoke test", "bench/run.mjs", "--smoke"),
    ],
  ],
  vitestStage({ name: "unit tests", project: "unit", database: "embedded" }),
  vitestStage({ name: "stories in Chromium", project: "storybook", database: "embedded" }),
  [
    [playwrightStage({ name: "browser tests", project: "chromium", database: "embedded" })],
    [
      vitestStage({ name: "unit tests", project: "unit", database: "postgres" }),
      playwrightStage({ name: "browser tests", project: "chromium", database: "postgres" }),
    ],
  ],
];

/** Runs the stage in a copy of this repository, as an account without privileges. */
const asOrdinaryUser = (stage) => ({
  ...stage,
  name: `${stage.name}, as an ordinary user`,
  args: (run) => [
    "scripts/as-ordinary-user.mjs",
    "--give",
    dirname(run.report),
    "--",
    run.node,
    ...stage.args(run),
  ],
});

/** Runs the stage as on a machine that has only `unshare` for sandboxes. */
const withoutBubblewrap = (stage) => ({
  ...stage,
  name: `${stage.name}, without bubblewrap`,
  args: (run) => ["scripts/without-bubblewrap.mjs", run.node, ...stage.args(run)],
});

const SANDBOX_STAGE = vitestStage({
  name: "tests of commands",
  project: "unit",
  database: "embedded",
  selection: ["run", "src/server/exec", "src/server/mcp", "src/server/recipes", "src/server/tasks"],
});

/** What the account, or the sandbox that it can use, makes a difference for. */
const ACCOUNT_STAGES = [
  asOrdinaryUser(vitestStage({ name: "unit tests", project: "unit", database: "embedded" })),
  asOrdinaryUser(
    vitestStage({
      name: "full disks",
      project: "deep",
      database: "embedded",
      selection: ["run", "full-disk"],
    }),
  ),
  asOrdinaryUser(
    playwrightStage({
      name: "browser tests of commands",
      project: "chromium",
      database: "embedded",
      files: ["exec.spec.ts", "recipes.spec.ts"],
    }),
  ),
  withoutBubblewrap(asOrdinaryUser(SANDBOX_STAGE)),
  withoutBubblewrap(SANDBOX_STAGE),
];

/** Only root can make the account; on other systems there are no sandboxes. */
const canChangeAccount = process.platform === "linux" && process.getuid?.() === 0;

/** Major versions; the last has no folder, as it is a package of this repository. */
const POSTGRES_VERSIONS = [
  { major: "15", choice: "15" },
  { major: "16", choice: "16" },
  { major: "17", choice: "17" },
  { major: "18", choice: "npm" },
];

const withVersion = (stage, { major, choice }) => ({
  ...stage,
  name: `${stage.name} ${major}`,
  env: { ...stage.env, PARLEY_TEST_POSTGRES: choice },
});

/** Other tests use the statements that these try, or the same tables. */
const DATABASE_TESTS = [
  ...["db", "machine", "worker", "auth"].map((room) => `src/server/${room}`),
  ...["health", "ownership"].map((name) => `src/server/api/${name}.test.ts`),
];

const VERSION_STAGES = [
  {
    ...npmStage("earlier versions of PostgreSQL"),
    // They need no scripts: scripts/private-postgres.mjs makes the links.
    args: () => ["ci", "--prefix", "scripts/postgres-versions", "--ignore-scripts", "--silent"],
  },
  ...POSTGRES_VERSIONS.flatMap((version) =>
    [
      vitestStage({
        name: "unit tests of the database",
        project: "unit",
        database: "postgres",
        selection: ["run", ...DATABASE_TESTS],
      }),
      playwrightStage({ name: "browser tests", project: "chromium", database: "postgres" }),
    ].map((stage) => withVersion(stage, version)),
  ),
];

/** `npm run test:deep`: tests that measure, take long, or repeat what is random. */
export const DEEP_STAGES = [
  ...PREPARATION,
  vitestStage({ name: "deep unit tests", project: "deep", database: "embedded" }),
  vitestStage({ name: "deep unit tests", project: "deep", database: "postgres" }),
  BUILD,
  playwrightStage({ name: "deep browser tests", project: "deep", database: "embedded" }),
  ...VERSION_STAGES,
  ...(canChangeAccount ? ACCOUNT_STAGES : []),
];
