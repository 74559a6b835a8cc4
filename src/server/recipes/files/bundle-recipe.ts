import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { type Plugin, type RolldownBuild, rolldown } from "rolldown";
import type { CheckedFile, CheckRequest, FileProblem } from "./checked-file";
import { toShownPath } from "./shown-path";

/** What recipes import, from whatever folder. */
const RECIPES_MODULE = "parley/recipes";

/** Bundles a file with all that it imports into one module, named by its hash. Rejects for what is no bundler's error. */
export const bundleRecipe = async ({
  folder,
  file,
  outDir,
}: CheckRequest): Promise<CheckedFile> => {
  const missing: BuildError[] = [];
  const build = await rolldown({
    input: file,
    cwd: folder,
    platform: "node",
    logLevel: "warn",
    onLog: (_level, log) => {
      if (log.code === "UNRESOLVED_IMPORT") missing.push(log);
    },
    plugins: [ownModule],
  });
  try {
    const code = await generate(build, outDir);
    const inputs = await build.watchFiles;
    const [unresolved] = missing;
    if (unresolved) return { inputs, problem: toProblem(unresolved, { folder, file }) };
    return { inputs, bundle: await writeBundle(code, outDir) };
  } catch (error) {
    const [first] = listBuildErrors(error);
    if (!first) throw error;
    const place = first.loc?.file ?? first.id ?? file;
    return { inputs: [...new Set([file, place])], problem: toProblem(first, { folder, file }) };
  } finally {
    await build.close();
  }
};

/** It is not bundled, so that all recipes share one copy of it. */
const ownModule: Plugin = {
  name: "parley",
  resolveId: (id) =>
    id === RECIPES_MODULE
      ? {
          id: pathToFileURL(path.join(import.meta.dirname, "define-recipe.mjs")).href,
          external: true,
        }
      : null,
};

/** The source map is in the bundle, so that the stack of an error names the lines of the files. */
const generate = async (build: RolldownBuild, outDir: string): Promise<string> => {
  const { output } = await build.generate({
    dir: outDir,
    format: "esm",
    codeSplitting: false,
    sourcemap: "inline",
    sourcemapPathTransform: (source, map) => path.resolve(path.dirname(map), source),
  });
  return output[0].code;
};

const writeBundle = async (
  code: string,
  outDir: string,
): Promise<{ path: string; hash: string }> => {
  const hash = createHash("sha256").update(code).digest("hex");
  const target = path.join(outDir, `${hash}.mjs`);
  await mkdir(outDir, { recursive: true });
  await writeFile(target, code);
  return { path: target, hash };
};

type BuildError = {
  message: string;
  id?: string | undefined;
  loc?: { file?: string | undefined; line: number } | undefined;
};

const listBuildErrors = (error: unknown): BuildError[] =>
  error instanceof Error && "errors" in error && Array.isArray(error.errors)
    ? (error.errors as BuildError[])
    : [];

const toProblem = (
  { message, id, loc }: BuildError,
  { folder, file }: Pick<CheckRequest, "folder" | "file">,
): FileProblem => ({
  file: toShownPath(folder, loc?.file ?? id ?? file),
  ...(loc && { line: loc.line }),
  message: toSentence(message),
});

/** The first line of a bundler's message; the others draw the place. */
const toSentence = (message: string): string => {
  const [first = ""] = stripVTControlCharacters(message).trim().split("\n");
  return first.replace(/^\[[A-Z_]+\]\s*/, "");
};
