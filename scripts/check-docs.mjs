// npm run check:docs: fails when a document names a file that does not exist, when the index of decisions is not that of
// their files, when something refers to a decision that does not exist, or when docs/settings.md is not up to date.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { createSettingsDocument, SETTINGS_DOCUMENT } from "./settings-document.mjs";

const root = join(import.meta.dirname, "..");

const listFiles = (folder, endings, options) =>
  readdirSync(join(root, folder), options)
    .filter((name) => endings.test(name))
    .map((name) => join(root, folder, name));

const documents = [
  ...listFiles(".", /\.md$/),
  ...["docs", "bench", "chaos", "examples"].flatMap((folder) =>
    listFiles(folder, /\.md$/, { recursive: true }),
  ),
];

const GENERATED = new Set([".next", "data", "node_modules"]);
const topLevel = new Set(readdirSync(root).filter((name) => !GENERATED.has(name)));

/** True for text that starts with an entry of the root, or ends like a source file. */
const isPath = (text) =>
  /^[\w@.[\]/-]+$/.test(text) &&
  (topLevel.has(text.split("/")[0]) ||
    /^\w[\w.-]*\/.*\.(ts|tsx|mjs|cjs|css|md|sql|prisma|yml)$/.test(text)) &&
  !GENERATED.has(text.split("/")[0]);

const findPaths = (line) => {
  const code = [...line.matchAll(/`([^`\n]+)`/g)]
    .map(([, text]) => text.replace(/^\.\//, ""))
    .filter(isPath)
    .map((path) => ({ path, relativeTo: "root" }));
  const links = [...line.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, path]) => ({ path, relativeTo: "document" }))
    .filter(({ path }) => !/^[a-z]+:/.test(path));
  return [...code, ...links];
};

const decisionFolder = join(root, "docs/adr");
const decisions = readdirSync(decisionFolder).filter((name) => /^\d{4}-/.test(name));
const numbers = new Set(decisions.map((name) => name.slice(0, 4)));
const repeatedNumbers = decisions
  .filter((name, index) => decisions[index - 1]?.slice(0, 4) === name.slice(0, 4))
  .map((name) => `docs/adr/${name} has the number of another decision`);

const indexLines = new Set(readFileSync(join(decisionFolder, "README.md"), "utf8").split("\n"));
const missingLines = decisions
  .map((name) => {
    const [heading] = readFileSync(join(decisionFolder, name), "utf8").split("\n");
    return `- [${name.slice(0, 4)}](${name}) ${heading.slice("# 0000 ".length)}`;
  })
  .filter((line) => !indexLines.has(line))
  .map((line) => `docs/adr/README.md lacks the line: ${line}`);

const SOURCE = /\.([cm]?[jt]sx?|css|prisma|sql)$/;
const sources = [
  ...listFiles(".", SOURCE),
  ...[
    "src",
    "e2e",
    "stories",
    "bench",
    "chaos",
    "scripts",
    "recipes",
    "prisma",
    "examples",
  ].flatMap((folder) => listFiles(folder, SOURCE, { recursive: true })),
];
const missingDecisions = [...documents, ...sources].flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/(?:ADR |docs\/adr\/)(\d{4})/g)]
    .filter(([, number]) => !numbers.has(number))
    .map(([reference]) => `${relative(root, file)} refers to ${reference}, which does not exist`),
);

const missingFiles = documents.flatMap((document) =>
  readFileSync(document, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      findPaths(line)
        .filter(
          ({ path, relativeTo }) =>
            !existsSync(join(relativeTo === "root" ? root : dirname(document), path)),
        )
        .map(
          ({ path }) =>
            `${relative(root, document)}:${index + 1} names ${path}, which does not exist`,
        ),
    ),
);

const isCurrent = readFileSync(SETTINGS_DOCUMENT, "utf8") === (await createSettingsDocument());
const staleSettings = isCurrent ? [] : ["docs/settings.md is old: run npm run docs:settings"];

const problems = [
  ...missingFiles,
  ...repeatedNumbers,
  ...missingLines,
  ...missingDecisions,
  ...staleSettings,
];
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
