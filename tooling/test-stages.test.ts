import path from "node:path";
import { describe, expect, it } from "vitest";
import { readPlaywright, readVitest } from "../scripts/testing/read-reports.mjs";
import { DEEP_STAGES, TEST_STAGES } from "../scripts/testing/stages.mjs";

type Run = { node: string; report: string; failure: object };
type Stage = { name: string; args: (run: Run) => string[] };
const listStages = (stages: unknown[]) => stages.flat(2) as Stage[];
const findArgs = (name: string, failure: object): string[] => {
  const stage = listStages(TEST_STAGES).find((one) => one.name === name);
  return stage?.args({ node: "node", report: "report.json", failure }) ?? [];
};

describe("a report of Vitest", () => {
  const [failure, broken] = readVitest({
    numPassedTests: 3,
    testResults: [
      {
        status: "failed",
        name: path.resolve("src/lib/add.test.ts"),
        message: "",
        assertionResults: [
          { status: "passed", ancestorTitles: ["add"], title: "adds", failureMessages: [] },
          {
            status: "failed",
            ancestorTitles: ["add"],
            title: "(1 + 1) is 2",
            failureMessages: ["expected 3"],
          },
        ],
      },
      {
        status: "failed",
        name: path.resolve("src/lib/broken.test.ts"),
        message: "Cannot find module",
        assertionResults: [],
      },
      { status: "passed", name: path.resolve("src/lib/b.test.ts"), assertionResults: [] },
    ],
  }).failed;

  it("names each failed test, and a file that could not begin", () => {
    expect(failure).toEqual({
      title: "src/lib/add.test.ts › add › (1 + 1) is 2",
      reason: "expected 3",
      file: "src/lib/add.test.ts",
      test: "add > (1 + 1) is 2",
    });
    expect(broken).toEqual({
      title: "src/lib/broken.test.ts › the file itself",
      reason: "Cannot find module",
      file: "src/lib/broken.test.ts",
    });
  });

  it("says how each is run again, alone, with the same database", () => {
    const args = findArgs("unit tests, PostgreSQL", failure ?? {});
    expect(args.slice(0, 2)).toEqual(["scripts/with-postgres.mjs", "node"]);
    const pattern = new RegExp(args[args.indexOf("-t") + 1] ?? "");
    expect("add > (1 + 1) is 2").toMatch(pattern);
    expect("add > (1 + 1) is 20").not.toMatch(pattern);
    expect(args).toContain("src/lib/add.test.ts");
    const whole = findArgs("unit tests, embedded database", broken ?? {});
    expect(whole).toContain("src/lib/broken.test.ts");
    expect(whole).not.toContain("-t");
  });
});

describe("a report of Playwright", () => {
  const { passed, failed } = readPlaywright({
    config: { rootDir: path.resolve("e2e") },
    stats: { expected: 5 },
    errors: [{ message: "No tests found" }],
    suites: [
      {
        title: "turn.spec.ts",
        file: "turn.spec.ts",
        suites: [
          {
            title: "a turn",
            file: "turn.spec.ts",
            specs: [
              {
                title: "ends",
                file: "turn.spec.ts",
                line: 12,
                tests: [
                  { status: "unexpected", results: [{ errors: [{ message: "It did not." }] }] },
                ],
              },
              { title: "begins", file: "turn.spec.ts", line: 4, tests: [{ status: "expected" }] },
            ],
          },
        ],
      },
    ],
  });

  it("names each failed test with its line, and what failed before the tests", () => {
    expect(passed).toBe(5);
    expect(failed).toEqual([
      {
        title: "turn.spec.ts › a turn › ends",
        reason: "It did not.",
        file: "e2e/turn.spec.ts",
        test: "a turn ends",
        line: 12,
      },
      { title: "before the tests", reason: "No tests found" },
    ]);
    expect(findArgs("browser tests, embedded database", failed[0] ?? {}).slice(1)).toEqual([
      "test",
      "--project=chromium",
      "e2e/turn.spec.ts:12",
      "--grep=a turn ends",
    ]);
  });
});

it.each([
  ["npm test", TEST_STAGES],
  ["npm run test:deep", DEEP_STAGES],
])("%s has a name of its own for each stage, by which its failures are repeated", (_what, list) => {
  const names = listStages(list).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
