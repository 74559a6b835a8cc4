import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

export type Story = {
  id: string;
  title: string;
  name: string;
  /** The version of each module that the story reaches, by the module's path. */
  modules: ReadonlyMap<string, string>;
};

/** What Storybook's bundler writes about its modules. */
export type BuildStats = { modules: { id: string; reasons?: { moduleName: string }[] }[] };
type IndexEntry = {
  id: string;
  type: string;
  title: string;
  name: string;
  importPath: string;
  tags?: string[];
};
export type StoryIndex = { entries: Record<string, IndexEntry> };
/** @returns undefined for a module without a file, such as one that the bundler makes. */
type GetVersion = (module: string) => string | undefined;

/** Every story is shown by it. Storybook's statistics name no importer of it. */
const PREVIEW = ".storybook/preview.tsx";

/** Converts the bundler's id to a path that is the same where the packages are linked from elsewhere. */
const toModulePath = (id: string): string =>
  id.replace(/^.*?(?=node_modules\/)/, "").replace(/^\.\//, "");

const listImports = (stats: BuildStats): Map<string, string[]> => {
  const imports = new Map<string, string[]>();
  for (const { id, reasons = [] } of stats.modules) {
    for (const { moduleName } of reasons) {
      const importer = toModulePath(moduleName);
      imports.set(importer, [...(imports.get(importer) ?? []), toModulePath(id)]);
    }
  }
  return imports;
};

const findReached = (imports: Map<string, string[]>, entries: readonly string[]): Set<string> => {
  const reached = new Set(entries);
  // A set is walked in the order of insertion, with what is added on the way.
  for (const module of reached) for (const next of imports.get(module) ?? []) reached.add(next);
  return reached;
};

/** A package is one module, as its version says whether it differs. */
const toPackage = (module: string): string =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;

/** Lists the stories of a build, without pages of documents, with the modules that each reaches. */
export const listStories = (
  stats: BuildStats,
  index: StoryIndex,
  getVersion: GetVersion,
): Story[] => {
  const imports = listImports(stats);
  const byFile = new Map<string, Map<string, string>>();
  const findModules = (importPath: string): Map<string, string> => {
    const known = byFile.get(importPath);
    if (known) return known;
    const reached = findReached(imports, [toModulePath(importPath), PREVIEW]);
    const modules = new Map<string, string>();
    for (const module of new Set([...reached].map(toPackage))) {
      const version = getVersion(module);
      if (version !== undefined) modules.set(module, version);
    }
    byFile.set(importPath, modules);
    return modules;
  };
  return Object.values(index.entries)
    .filter(({ type }) => type === "story")
    .map(({ id, title, name, importPath }) => ({
      id,
      title,
      name,
      modules: findModules(importPath),
    }));
};

/** Creates a function that reads the versions of modules: of a file its content, of a package what the lock file names. */
export const createVersionReader = (root: string): GetVersion => {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version?: string }>;
  };
  const versions = new Map<string, string | undefined>();
  const read: GetVersion = (module) => {
    if (module.includes("node_modules/")) return lock.packages[module]?.version;
    const file = path.join(root, module);
    if (!existsSync(file) || !statSync(file).isFile()) return undefined;
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  };
  return (module) => {
    if (!versions.has(module)) versions.set(module, read(module));
    return versions.get(module);
  };
};
