import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  MAX_DECLARED_RECIPES,
  type Recipe,
  type RecipeList,
  type RecipeRun,
} from "@/contract/recipe";
import type { ToolList } from "@/contract/tool";
import { createRecipeLister } from "@/server/app/list-recipe-tools";
import type { Database } from "@/server/db/connection/database";
import type { RecipeDeps } from "@/server/recipes/run-recipe";
import { createToolSources } from "@/server/tools/tool-source";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { findTestSandbox } from "@/test/exec-fixture";
import { commitAnswer, openCall } from "@/test/park-chat";
import { builtinTools, NO_COMMANDS_FOR_RECIPES, NO_RECIPE_FILES } from "@/test/tool-fixture";
import { testProcess } from "@/test/test-process";

const PATH = "/config/recipes";

let db: Database;
let api: TestApi;
let owner: TestClient;
let member: TestClient;

beforeAll(async () => {
  db = await testDatabase();
  const sandbox = await findTestSandbox();
  const recipes: RecipeDeps = { ...NO_COMMANDS_FOR_RECIPES, sandbox };
  const lister = createRecipeLister({
    listRows: testProcess(db).cached.recipes.get,
    listFiles: NO_RECIPE_FILES.list,
    deps: recipes,
    workspacesProblem: undefined,
  });
  api = createTestApi(db, createToolSources(builtinTools, { recipe: lister }), { recipes });
  owner = await createClient(db, api, { role: "owner" });
  member = await createClient(db, api);
});
// Other files of the worker have the same database.
beforeEach(async () => {
  const { data } = (await owner.call(`GET ${PATH}`)).body as RecipeList;
  for (const { name } of data) await owner.call(`DELETE ${PATH}/${name}`);
});
afterAll(async () => {
  await db.prisma.recipe.deleteMany();
  testProcess(db).cached.recipes.forget();
});

const greet = (changes: object = {}) => ({
  name: "greet",
  description: "Greets a person",
  parameters: {
    type: "object",
    properties: { who: { type: "string", minLength: 1 } },
    required: ["who"],
  },
  example: { who: "Ada" },
  env: { greeting: "Hello ${who}" },
  steps: [["printf", "%s!", "${greeting}"]],
  ...changes,
});

/** The address has the name already. */
const nameless = (changes: object = {}) => ({ ...greet(changes), name: undefined });

const list = async () => ((await owner.call(`GET ${PATH}`)).body as RecipeList).data;
const findTool = async (name: string) =>
  ((await member.call("GET /tools")).body as ToolList).data.find((tool) => tool.name === name);

describe("declared recipes", () => {
  it("are stored, replaced and deleted", async () => {
    const created = await owner.call(`POST ${PATH}`, greet());
    expect(created).toMatchObject({ status: 201, body: { name: "greet", source: "declared" } });
    expect((created.body as Recipe).declaration).toEqual({ ...greet(), enabled: true });
    const changed = await owner.call(`PUT ${PATH}/greet`, nameless({ description: "Says hello" }));
    expect(changed).toMatchObject({ status: 200, body: { description: "Says hello" } });
    expect(await list()).toMatchObject([{ name: "greet", description: "Says hello" }]);
    expect((await owner.call(`DELETE ${PATH}/greet`)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await owner.fail(`DELETE ${PATH}/greet`)).status).toBe(404);
    expect((await owner.fail(`PUT ${PATH}/greet`, nameless())).status).toBe(404);
  });

  it("are tools of every chat at once, before dynamic ones", async () => {
    await owner.call(`POST ${PATH}`, greet());
    expect(await findTool("greet")).toMatchObject({ source: "recipe", offered: true });
    const chat = await member.call("POST /chats", {
      content: "Hi",
      tools: ["greet"],
      dynamic_tools: [{ name: "greet" }],
    });
    expect(chat.body).toMatchObject({
      warnings: ['The tool "greet" is not offered: the name belongs to a recipe tool.'],
    });
  });

  it("can be switched off, and keep their name", async () => {
    await owner.call(`POST ${PATH}`, greet({ enabled: false }));
    expect(await findTool("greet")).toMatchObject({
      offered: false,
      reason: "An administrator has switched this recipe off.",
    });
    const chat = await member.call("POST /chats", {
      content: "Hi",
      dynamic_tools: [{ name: "greet" }],
    });
    expect(chat.body).toMatchObject({ warnings: [expect.stringContaining("a recipe tool")] });
  });

  it("are run once by administrators, with the example or a request", async () => {
    await owner.call(`POST ${PATH}`, greet());
    const first = (await owner.call(`POST ${PATH}/greet/run`, {})).body as RecipeRun;
    expect(first).toMatchObject({
      is_error: false,
      output: "Hello Ada!",
      commands: [["printf", "%s!", "Hello Ada"]],
    });
    const second = await owner.call(`POST ${PATH}/greet/run`, { request: { who: "$& ${who}" } });
    expect(second.body).toMatchObject({ output: "Hello $& ${who}!" });
    const unfit = await owner.fail(`POST ${PATH}/greet/run`, { request: { who: "" } });
    expect(unfit.status).toBe(400);
    expect(unfit.problem.errors?.[0]?.pointer).toBe("/request/who");
  });

  it("that never end are ended", async () => {
    const endless = greet({ steps: [["sleep", "1000"]], opts: { timeout_seconds: 1 } });
    await owner.call(`POST ${PATH}`, endless);
    expect((await owner.call(`POST ${PATH}/greet/run`, {})).body).toMatchObject({
      is_error: true,
      output: "Timed out: the call took longer than 1 seconds.",
    });
  });

  it("are for administrators only", async () => {
    const answers = await Promise.all([
      member.fail(`GET ${PATH}`),
      member.fail(`POST ${PATH}`, greet()),
      member.fail(`PUT ${PATH}/greet`, nameless()),
      member.fail(`DELETE ${PATH}/greet`),
      member.fail(`POST ${PATH}/greet/run`, {}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  it("need a name of their own", async () => {
    await owner.call(`POST ${PATH}`, greet());
    const taken = await owner.fail(`POST ${PATH}`, greet({ description: "Another" }));
    expect(taken).toMatchObject({ status: 409, problem: { errors: [{ pointer: "/name" }] } });
    expect(await list()).toMatchObject([{ description: "Greets a person" }]);
  });

  it.each([
    ["a built-in's name", { name: "read_file" }, "/name"],
    ["a provider's name", { name: "google_search" }, "/name"],
    ["no name", { name: "a b" }, "/name"],
    ["a name of every object", { name: "__proto__" }, "/name"],
    ["an example that fails its schema", { example: { who: 1 } }, "/example/who"],
    ["an example without what is required", { example: {} }, "/example/who"],
    ["a value without env", { steps: [["echo", "a", "${x}"]] }, "/steps/0/2"],
    ["a value of every object", { steps: [["echo", "${constructor}"]] }, "/steps/0/1"],
    ["an unknown value in env", { env: { greeting: "${x}" } }, "/env/greeting"],
    ["an unknown value in a prompt", { output_prompt: "${x}" }, "/output_prompt"],
    ["no steps", { steps: [] }, "/steps"],
    ["an empty step", { steps: [[]] }, "/steps/0"],
    ["no program", { steps: [[" "]] }, "/steps/0/0"],
    ["a NUL character", { steps: [["echo", "a\0b"]] }, "/steps/0/1"],
    ["a template that is too long", { steps: [["echo", "x".repeat(100_000)]] }, "/steps/0/1"],
    ["a prompt that is too long", { output_prompt: "x".repeat(100_000) }, "/output_prompt"],
    ["a function", { env: "(request) => ({})" }, "/env"],
    ["a place as env", { env: { workspace: "/", greeting: "x" } }, "/env/workspace"],
    ["a parameter as env", { env: { who: "x", greeting: "x" } }, "/env/who"],
    ["parameters of no object", { parameters: { type: "string" } }, "/parameters/type"],
    ["an unknown option", { opts: { sudo: true } }, "/opts/sudo"],
    ["network that is no boolean", { opts: { network: "public" } }, "/opts/network"],
    ["no end", { opts: { timeout_seconds: 0 } }, "/opts/timeout_seconds"],
  ])("are refused with %s, and nothing is stored", async (_what, changes, pointer) => {
    const refused = await owner.fail(`POST ${PATH}`, greet(changes));
    expect(refused.status).toBe(400);
    expect(refused.problem.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await list()).toEqual([]);
  });

  it.each([
    ["env", '"env":{"__proto__":"x"}', "/env/__proto__"],
    [
      "parameters themselves",
      '"parameters":{"__proto__":{},"type":"object"}',
      "/parameters/__proto__",
    ],
    ["example", '"example":{"__proto__":{}}', "/example/__proto__"],
    ["env, inherited", '"env":{"toString":"x"}', "/env/toString"],
    [
      "parameters",
      '"parameters":{"type":"object","properties":{"__proto__":{"type":"string"}}}',
      "/parameters/properties/__proto__",
    ],
  ])("are refused with a key of a prototype in %s", async (_where, part, pointer) => {
    const fields = JSON.stringify(
      greet({ steps: [["true"]], env: undefined, parameters: undefined }),
    );
    const schema = part.includes("parameters") ? "" : ',"parameters":{"type":"object"}';
    const refused = await owner.fail(`POST ${PATH}`, `${fields.slice(0, -1)}${schema},${part}}`);
    expect(refused.status).toBe(400);
    expect(refused.problem.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await list()).toEqual([]);
  });
});

it("declared recipes are limited in number", async () => {
  const rows = Array.from({ length: MAX_DECLARED_RECIPES }, (_, index) => {
    const declaration = { ...greet({ name: `greet_${index}` }), enabled: false };
    return { name: declaration.name, declaration };
  });
  await db.prisma.recipe.createMany({ data: rows });
  try {
    const refused = await owner.fail(`POST ${PATH}`, greet());
    expect(refused).toMatchObject({
      status: 409,
      problem: {
        detail: `There can be at most ${MAX_DECLARED_RECIPES} declared recipes. Delete one first.`,
      },
    });
  } finally {
    await db.prisma.recipe.deleteMany();
    testProcess(db).cached.recipes.forget();
  }
});

describe("a call of a recipe that a person rejects", () => {
  it("is told so in the words of the recipe, also when the list of recipes has to be read", async () => {
    await owner.call(`POST ${PATH}`, greet({ output: { rejected: "Not today: ${output}" } }));
    const id = await owner.startChat();
    const open = openCall("call", "greet", { state: "awaiting_approval", args: { who: "Ada" } });
    const call = { ...open, kind: "recipe" as const };
    await commitAnswer(db, id, { parts: [call], after: "park" });
    testProcess(db).cached.recipes.forget();
    const { status } = await owner.call(`POST /chats/${id}/approvals`, {
      decisions: [{ tool_call_id: "call", decision: "reject", reason: "too late" }],
    });
    expect(status).toBe(204);
    const [part] = (await readWholeHistory(db, id)).at(-1)?.parts ?? [];
    expect(part).toMatchObject({
      state: "denied",
      output: expect.stringContaining("Not today: too late") as string,
    });
  });
});
