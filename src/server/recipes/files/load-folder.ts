import { stat } from "node:fs/promises";
import { removeTree } from "@/server/tools/workspace/remove-tree";
import type { LoadedRecipe } from "@/server/recipes/loaded-recipe";
import { createOwnDirectory } from "@/server/recipes/own-directory";
import { checkFiles } from "./check-files";
import type { CheckedFile, CheckRequest, FileProblem } from "./checked-file";
import { importRecipe } from "./import-recipe";
import { type ListedFile, listRecipeFiles, readStamp } from "./list-files";

/** A file of the folder: its recipe, or why it has none. */
export type FileRecipe = { file: string } & ({ loaded: LoadedRecipe } | { problem: FileProblem });

/** What is known of a file that was loaded; it is loaded again when its stamp differs. */
type KnownFile = {
  /** The stamp of the inputs as they were loaded; "" where they may have changed meanwhile. */
  stamp: string;
  /** The stamp of the inputs after they were loaded. */
  lastStamp: string;
  inputs: readonly string[];
  /** "" for a file that has failed in the child process. */
  hash: string;
  recipe: FileRecipe;
  /** By the process's monotonic clock. */
  loadedAt: number;
};

export type KnownFiles = {
  files: ReadonlyMap<string, KnownFile>;
  /** In the order of file names. */
  recipes: readonly FileRecipe[];
};

type LoadOptions = {
  isForced: boolean;
  /** When a broken file is loaded again although nothing that it is known to depend on has changed. */
  retryMs: number;
  /** Names that no recipe can have. */
  reservedNames: readonly string[];
};

/**
 * Loads the files of a folder that have changed, or all. A recipe whose bundle is the same stays the same object,
 * which calls that wait depend on. Rejects when there is no place for bundles, such as on a full disk.
 */
export const loadFolder = async (
  folder: string,
  known: KnownFiles,
  { isForced, retryMs, reservedNames }: LoadOptions,
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
    const isKnown = before && !isDue(before, retryMs) && (await isUnchanged(before));
    if (isKnown) files.set(entry.name, before);
    else changed.push(entry);
  }
  for (const [name, file] of await loadFiles(changed, known, { folder, reservedNames }))
    files.set(name, file);
  const recipes = refuseSameNames(listed.map((entry) => toRecipe(entry, files)));
  return { files, recipes: keepSame(known.recipes, recipes) };
};

const isDue = ({ hash, loadedAt }: KnownFile, retryMs: number): boolean =>
  hash === "" && performance.now() - loadedAt >= retryMs;

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
  changed: readonly ListedFile[],
  known: KnownFiles,
  request: Omit<CheckRequest, "file" | "outDir">,
): Promise<[string, KnownFile][]> => {
  if (changed.length === 0) return [];
  const startedAt = Date.now();
  const byHash = new Map([...known.files.values()].map((file) => [file.hash, file.recipe]));
  const outDir = await createOwnDirectory("recipes");
  try {
    const checked = await checkFiles(changed.map(({ file }) => ({ ...request, file, outDir })));
    return await Promise.all(
      changed.map(async ({ name, file }, index): Promise<[string, KnownFile]> => {
        const found = checked[index] ?? NOT_CHECKED;
        const before = known.files.get(name);
        const inputs = listInputs(file, found, before);
        const hash = "bundle" in found ? found.bundle.hash : "";
        const same = hash === "" ? undefined : byHash.get(hash);
        const recipe = same && "loaded" in same ? { ...same, file: name } : await load(name, found);
        const stamps = await stampInputs(inputs, startedAt, before);
        return [name, { inputs, hash, recipe, ...stamps, loadedAt: performance.now() }];
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

/** What a file that fails depends on may be unknown, such as the imports of one that ends the process. */
const listInputs = (
  file: string,
  found: CheckedFile,
  before: KnownFile | undefined,
): readonly string[] => {
  const known = "problem" in found ? (before?.inputs ?? []) : [];
  return [...new Set([file, ...found.inputs, ...known])].toSorted();
};

/**
 * What was written while it was read may differ from what was loaded, so it is loaded once more. A file whose time
 * is in the future has not been written meanwhile if it is as it was after the load before.
 */
const stampInputs = async (
  inputs: readonly string[],
  startedAt: number,
  before: KnownFile | undefined,
): Promise<Pick<KnownFile, "stamp" | "lastStamp">> => {
  const lastStamp = await readStamp(inputs);
  const stats = await Promise.all(inputs.map((file) => stat(file).catch(() => undefined)));
  const areOlder = stats.every((entry) => entry === undefined || entry.mtimeMs < startedAt);
  const isSettled = areOlder || lastStamp === before?.lastStamp;
  return { lastStamp, stamp: isSettled ? lastStamp : "" };
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
