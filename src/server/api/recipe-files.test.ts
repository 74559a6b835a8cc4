import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { RecipeList, RecipeRun } from "@/contract/recipe";
import type { ToolList } from "@/contract/tool";
import { createRecipeLister } from "@/server/app/list-recipe-tools";
import type { Database } from "@/server/db/connection/database";
import { watchRecipeReloads } from "@/server/db/settings/recipe-reads";
import { createRecipeFiles, type RecipeFiles } from "@/server/recipes/files/recipe-files";
import { createToolSources } from "@/server/tools/tool-source";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { builtinTools, NO_COMMANDS_FOR_RECIPES } from "@/test/tool-fixture";
import { testProcess } from "@/test/test-process";

const PATH = "/config/recipes";

let folder: string;
let db: Database;
let files: RecipeFiles;
let owner: TestClient;
let member: TestClient;

beforeAll(async () => {
  db = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "parley-files-"));
  files = createRecipeFiles(folder);
  const lister = createRecipeLister({
    listRows: testProcess(db).cached.recipes.get,
    listFiles: files.list,
    deps: NO_COMMANDS_FOR_RECIPES,
    workspacesProblem: undefined,
  });
  const api = createTestApi(db, createToolSources(builtinTools, { recipe: lister }), {
    recipeFiles: files,
  });
  owner = await createClient(db, api, { role: "owner" });
  member = await createClient(db, api);
});
beforeEach(async () => {
  await db.prisma.recipe.deleteMany();
  testProcess(db).cached.recipes.forget();
});
afterAll(async () => {
  await db.prisma.recipe.deleteMany();
  testProcess(db).cached.recipes.forget();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);

const greet = `import { defineRecipe, z } from "parley/recipes";
export default defineRecipe({
  name: "greet",
  description: "Greets a person",
  parameters: z.object({ who: z.string(), times: z.number().default(1) }),
  example: { who: "Ada" },
  steps: [({ who, times }) => ({ status: "success", output: \`Hello \${who}!\`.repeat(times) })],
});
`;

const declared = (name: string) => ({
  name,
  description: "Declared",
  parameters: { type: "object" },
  example: {},
  steps: [["true"]],
});

const reload = async () => (await owner.call(`POST ${PATH}/reload`, {})).body as RecipeList;
const listTools = async () => ((await member.call("GET /tools")).body as ToolList).data;

it("a recipe of a file is a tool, is listed first, and can be run once but not changed", async () => {
  await write("greet.ts", greet);
  await write("broken.ts", "export default {");
  await owner.call(`POST ${PATH}`, declared("another"));
  const list = await reload();
  expect(list).toMatchObject({
    folder,
    data: [
      { name: "broken.ts", source: "file", problem: { file: "broken.ts", line: 1 } },
      { name: "greet", source: "file", file: "greet.ts", example: { who: "Ada" } },
      { name: "another", source: "declared" },
    ],
  });
  const recipeTools = (await listTools()).filter(({ source }) => source === "recipe");
  expect(recipeTools).toMatchObject([{ name: "greet", offered: true }, { name: "another" }]);
  const run = (await owner.call(`POST ${PATH}/greet/run`, {})).body as RecipeRun;
  expect(run).toMatchObject({ is_error: false, output: "Hello Ada!", commands: [] });
  const twice = await owner.call(`POST ${PATH}/greet/run`, { request: { who: "Bo", times: 2 } });
  expect(twice.body).toMatchObject({ output: "Hello Bo!Hello Bo!" });
  const unfit = await owner.fail(`POST ${PATH}/greet/run`, { request: { who: 1 } });
  expect(unfit).toMatchObject({
    status: 400,
    problem: { errors: [{ pointer: "/request/who" }] },
  });
  expect((await owner.fail(`DELETE ${PATH}/greet`)).status).toBe(404);
});

it("a file has precedence over a declared recipe of its name", async () => {
  await rm(path.join(folder, "greet.ts"), { force: true });
  await reload();
  await owner.call(`POST ${PATH}`, declared("greet"));
  await write("greet.ts", greet);
  const { data } = await reload();
  expect(data.filter(({ name }) => name === "greet")).toMatchObject([
    { source: "file" },
    { source: "declared", problem: { message: expect.stringContaining("greet.ts") as string } },
  ]);
  const tools = (await listTools()).filter(({ name }) => name === "greet");
  expect(tools).toMatchObject([{ description: "Greets a person" }]);
  expect((await owner.call(`DELETE ${PATH}/greet`)).status).toBe(204);
  expect(await owner.fail(`POST ${PATH}`, declared("greet"))).toMatchObject({
    status: 409,
    problem: { errors: [{ pointer: "/name" }] },
  });
});

it("a reload reaches the other processes, and is for administrators only", async () => {
  let reloads = 0;
  let ownReloads = 0;
  const other = { id: "other", reload: () => Promise.resolve(void reloads++) };
  const own = { id: files.id, reload: () => Promise.resolve(void ownReloads++) };
  await watchRecipeReloads(db, own);
  await watchRecipeReloads(db, other);
  await reload();
  await expect.poll(() => reloads).toBe(1);
  expect(ownReloads).toBe(0);
  expect((await member.fail(`POST ${PATH}/reload`, {})).status).toBe(403);
});
