import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./run-program.mjs";

const root = join(import.meta.dirname, "..");
const stamp = join(root, ".next/.source-hash");

/** The build's inputs. */
const SOURCES = [
  "src",
  "prisma",
  "public",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "scripts/build-programs.mjs",
  "scripts/bundle-program.mjs",
  "scripts/side-programs.mjs",
  "scripts/prepare-database.mjs",
  "prisma.config.ts",
  "tsconfig.json",
];

const filesUnder = (path) =>
  readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("/db/generated/") && !/\.test\.tsx?$/.test(file));

const sourceHash = () => {
  const hash = createHash("sha256");
  for (const path of SOURCES.filter((source) => existsSync(join(root, source)))) {
    const files = path.includes(".") ? [join(root, path)] : filesUnder(path).sort();
    for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
};

/**
 * Builds for production, unless the last build has the same sources.
 *
 * @returns exit code of the step that failed, else 0.
 */
export const ensureBuilt = async (node) => {
  const hash = sourceHash();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return 0;
  rmSync(stamp, { force: true });
  const steps = [
    ["node_modules/prisma/build/index.js", "generate"],
    ["node_modules/next/dist/bin/next", "build"],
    // After Next, which empties the folder.
    ["scripts/build-programs.mjs"],
    ["scripts/prepare-database.mjs"],
  ];
  for (const step of steps) {
    const code = await runProgram(node, step, { NODE_ENV: "production" });
    if (code !== 0) return code;
  }
  writeFileSync(stamp, hash);
  return 0;
};
