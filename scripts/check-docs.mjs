// npm run check:docs: fails when a document names a file that is not there.
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
];

const MADE_BY_RUNNING = new Set([".next", "data", "node_modules"]);
const topLevel = new Set(readdirSync(root).filter((name) => !MADE_BY_RUNNING.has(name)));

/** A path of this repository: it starts at something in the root, or looks like a file of ours. */
const isPath = (text) =>
  /^[\w@.[\]/-]+$/.test(text) &&
  (topLevel.has(text.split("/")[0]) ||
    /^\w[\w.-]*\/.*\.(ts|tsx|mjs|cjs|css|md|sql|prisma|yml)$/.test(text)) &&
  !MADE_BY_RUNNING.has(text.split("/")[0]);

const pathsIn = (line) => {
  const code = [...line.matchAll(/`([^`\n]+)`/g)]
    .map(([, text]) => text.replace(/^\.\//, ""))
    .filter(isPath)
    .map((path) => ({ path, from: "root" }));
  const links = [...line.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, path]) => ({ path, from: "document" }))
    .filter(({ path }) => !/^[a-z]+:/.test(path));
  return [...code, ...links];
};

const problems = documents.flatMap((document) =>
  readFileSync(document, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      pathsIn(line)
        .filter(
          ({ path, from }) => !existsSync(join(from === "root" ? root : dirname(document), path)),
        )
        .map(
          ({ path }) =>
            `${relative(root, document)}:${index + 1} names ${path}, which is not there`,
        ),
    ),
);

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
