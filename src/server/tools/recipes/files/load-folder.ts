import { stat } from "node:fs/promises";
import { removeTree } from "@/server/tools/workspace/remove-tree";
import type { LoadedRecipe } from "@/server/tools/recipes/loaded-recipe";
import { createOwnDirectory } from "@/server/tools/recipes/own-directory";
import { checkFiles } from "./check-files";
import type { CheckedFile, FileProblem } from "./checked-file";
import { importRecipe } from "./import-recipe";
import { type ListedFile, listRecipeFiles, readStamp } from "./list-files";

/** A file of the folder: its recipe, or why it has none. */
export type FileRecipe = { file: string } & ({ loaded: LoadedRecipe } | { problem: FileProblem });

/** What is known of a file that was loaded; it is loaded again when its stamp differs. */
type KnownFile = { stamp: string; inputs: readonly string[]; hash: string; recipe: FileRecipe };

export type KnownFiles = {
  files: ReadonlyMap<string, KnownFile>;
  /** In the order of file names. */
  recipes: readonly FileRecipe[];
};

/**
 * Loads the files of a folder that have changed, or all. A recipe whose bundle is the same stays the same object,
 * which calls that wait depend on. Rejects when there is no place for bundles, such as on a full disk.
 */
export const loadFolder = async (
  folder: string,
  known: KnownFiles,
  { isForced }: { isForced: boolean },
): Promise<KnownFiles> => {
  const listed = await listRecipeFiles(folder);
  if (typeof listed === "string") {
    const recipe = { file: folder, problem: { file: folder, message: listed } };
    return { files: new Map(), recipes: keepSame(known.recipes, [recipe]) };
  }
  const files = new Map<string, KnownFile>();
  const changed: ListedFile[] = [];
  for (const entry of listed.filter(({ problem }) => problem === undefined)) {
    const before = isForced ? undefined : known.files.get(entry.name);
    if (before && (await isUnchanged(before))) files.set(entry.name, before);
    else changed.push(entry);
  }
  for (const [name, file] of await loadFiles(folder, changed, known)) files.set(name, file);
  const recipes = refuseSameNames(listed.map((entry) => toRecipe(entry, files)));
  return { files, recipes: keepSame(known.recipes, recipes) };
};

const isUnchanged = async ({ stamp, inputs }: KnownFile): Promise<boolean> =>
  stamp === (await readStamp(inputs));

const toRecipe = (
  { name, problem }: ListedFile,
  files: ReadonlyMap<string, KnownFile>,
): FileRecipe =>
  files.get(name)?.recipe ?? {
    file: name,
    problem: { file: name, message: problem ?? "It was not loaded." },
  };

const loadFiles = async (
  folder: string,
  changed: readonly ListedFile[],
  known: KnownFiles,
): Promise<[string, KnownFile][]> => {
  if (changed.length === 0) return [];
  const startedAt = Date.now();
  const byHash = new Map([...known.files.values()].map((file) => [file.hash, file.recipe]));
  const outDir = await createOwnDirectory("recipes");
  try {
    const checked = await checkFiles(changed.map(({ file }) => ({ folder, file, outDir })));
    return await Promise.all(
      changed.map(async ({ name, file }, index): Promise<[string, KnownFile]> => {
        const found = checked[index] ?? NOT_CHECKED;
        const inputs = [...new Set([file, ...found.inputs])];
        const hash = "bundle" in found ? found.bundle.hash : "";
        const same = hash === "" ? undefined : byHash.get(hash);
        const recipe = same && "loaded" in same ? { ...same, file: name } : await load(name, found);
        return [name, { inputs, hash, recipe, stamp: await stampInputs(inputs, startedAt) }];
      }),
    );
  } finally {
    await removeTree(outDir);
  }
};

const NOT_CHECKED: CheckedFile = {
  inputs: [],
  problem: { file: "", message: "It was not loaded." },
};

const load = async (name: string, found: CheckedFile): Promise<FileRecipe> => {
  if ("problem" in found) return { file: name, problem: found.problem };
  const loaded = await importRecipe(found.bundle.path);
  return typeof loaded === "string"
    ? { file: name, problem: { file: name, message: loaded } }
    : { file: name, loaded };
};

/** What was written while it was read may differ from what was loaded, so it is loaded once more. */
const stampInputs = async (inputs: readonly string[], startedAt: number): Promise<string> => {
  const stats = await Promise.all(inputs.map((file) => stat(file).catch(() => undefined)));
  const isSettled = stats.every((entry) => entry === undefined || entry.mtimeMs < startedAt);
  return isSettled ? readStamp(inputs) : "";
};

/** Of two files with the same name for their recipes, the first one has it. */
const refuseSameNames = (recipes: readonly FileRecipe[]): FileRecipe[] => {
  const owners = new Map<string, string>();
  return recipes.map((recipe) => {
    if ("problem" in recipe) return recipe;
    const { file, loaded } = recipe;
    const owner = owners.get(loaded.name);
    if (owner === undefined) {
      owners.set(loaded.name, file);
      return recipe;
    }
    const message = `The name "${loaded.name}" is that of the recipe of ${owner}.`;
    return { file, problem: { file, message } };
  });
};

/** What is made of an unchanged list stays valid. */
const keepSame = (
  before: readonly FileRecipe[],
  after: readonly FileRecipe[],
): readonly FileRecipe[] =>
  before.length === after.length && before.every((recipe, index) => isSame(recipe, after[index]))
    ? before
    : after;

const isSame = (before: FileRecipe, after: FileRecipe | undefined): boolean => {
  if (after?.file !== before.file) return false;
  if ("loaded" in before) return "loaded" in after && after.loaded === before.loaded;
  return "problem" in after && JSON.stringify(after.problem) === JSON.stringify(before.problem);
};
