import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { RecipeInput } from "@/contract/recipe";
import { findTestSandbox } from "@/test/exec-fixture";
import { createRecipeCaller } from "@/test/recipe-fixture";
import { findProblems, loadDeclared } from "./declared-recipe";
import { createRecipeFiles } from "./files/recipe-files";
import type { LoadedRecipe } from "./loaded-recipe";

/** The examples of the guide: a recipe, and below it what a call with its example puts out. */
const EXAMPLE = /^```(json|ts)\n(.*?)^```\n\n```text\n(.*?)^```$/gms;

const readExamples = async () => {
  const guide = await readFile("docs/recipes.md", "utf8");
  return Array.from(guide.matchAll(EXAMPLE), ([, kind = "", recipe = "", output = ""]) => ({
    kind,
    recipe,
    output,
  }));
};

const load = async (kind: string, text: string): Promise<LoadedRecipe> => {
  if (kind === "json") {
    const input = RecipeInput.parse(JSON.parse(text));
    expect(await findProblems(input, { userId: "guide", reservedNames: [] })).toEqual([]);
    return loadDeclared(input);
  }
  const folder = await mkdtemp(path.join(tmpdir(), "parley-guide-"));
  await writeFile(path.join(folder, "recipe.ts"), text);
  const [file] = await createRecipeFiles(folder).list();
  await rm(folder, { recursive: true });
  if (!file || !("loaded" in file)) throw new Error(JSON.stringify(file));
  return file.loaded;
};

it("the examples of the guide for authors put out what it says", async () => {
  const examples = await readExamples();
  expect(examples.map(({ kind }) => kind)).toEqual(["json", "ts", "ts"]);
  const caller = createRecipeCaller(await findTestSandbox());
  for (const { kind, recipe, output } of examples) {
    const loaded = await load(kind, recipe);
    const outcome = await caller.runLoaded(loaded, { args: loaded.example });
    expect(outcome).toMatchObject({ state: "completed" });
    expect((outcome.output as string).trimEnd()).toBe(output.trimEnd());
  }
});
