// npm run check:docs: fails when a document names a file that does not exist, or two decisions have one number.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..");

const markdownIn = (folder, options) =>
  readdirSync(folder, options)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));

const documents = [
  ...markdownIn(root),
  ...markdownIn(join(root, "docs"), { recursive: true }),
  ...markdownIn(join(root, "bench"), { recursive: true }),
  ...markdownIn(join(root, "chaos"), { recursive: true }),
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

const decisions = readdirSync(join(root, "docs/adr")).filter((name) => /^\d{4}-/.test(name));
const repeatedNumbers = decisions
  .filter((name, index) => decisions[index - 1]?.slice(0, 4) === name.slice(0, 4))
  .map((name) => `docs/adr/${name} has the number of another decision`);

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

const problems = [...missingFiles, ...repeatedNumbers];
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
