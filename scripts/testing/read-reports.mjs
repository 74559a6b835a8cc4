// Reads the JSON reports of Vitest and Playwright.
import { relative } from "node:path";

/**
 * What a report says.
 *
 * @typedef {object} Results
 * @property {number} passed
 * @property {Failure[]} failed
 */

/**
 * A failure. Without `file`, it cannot be repeated alone.
 *
 * @typedef {object} Failure
 * @property {string} title
 * @property {string} reason
 * @property {string} [file]
 * @property {string} [test] its full name; without it, the file failed before its first test.
 * @property {number} [line]
 */

/**
 * Reads a report of Vitest. A file that fails before its first test counts as one failure.
 *
 * @returns {Results}
 */
export const readVitest = ({ numPassedTests, testResults }) => {
  const failed = testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(process.cwd(), name);
      const tests = assertionResults.filter(({ status }) => status === "failed");
      if (tests.length === 0)
        return [{ title: `${file} › the file itself`, reason: message, file }];
      return tests.map(({ ancestorTitles, title, failureMessages }) => ({
        title: [file, ...ancestorTitles, title].join(" › "),
        reason: failureMessages.join("\n"),
        file,
        // The name that Vitest selects it by.
        test: [...ancestorTitles, title].join(" > "),
      }));
    });
  return { passed: numPassedTests, failed };
};

/** Lists the tests of all suites, with the titles of the suites they are in, except the file's. */
const listSpecs = ({ suites = [], specs = [] }, titles = []) => [
  ...specs.map((spec) => ({ ...spec, titles: [...titles, spec.title] })),
  ...suites.flatMap((suite) =>
    listSpecs(suite, suite.title === suite.file ? titles : [...titles, suite.title]),
  ),
];

/**
 * Reads a report of Playwright. A test that passes only when it is repeated counts as a failure.
 *
 * @returns {Results}
 */
export const readPlaywright = ({ config, stats, errors, suites }) => {
  const directory = relative(process.cwd(), config.rootDir);
  const failed = suites
    .flatMap((suite) => listSpecs({ suites: [suite] }))
    .filter(({ tests }) => tests.some(({ status }) => ["unexpected", "flaky"].includes(status)))
    .map(({ file, line, titles, tests }) => ({
      title: `${file} › ${titles.join(" › ")}`,
      reason: tests
        .flatMap(({ results }) => results.flatMap((result) => result.errors))
        .map(({ message }) => message)
        .join("\n"),
      file: `${directory}/${file}`,
      test: titles.join(" "),
      line,
    }));
  const broken = errors.map(({ message }) => ({ title: "before the tests", reason: message }));
  return { passed: stats.expected, failed: [...failed, ...broken] };
};
