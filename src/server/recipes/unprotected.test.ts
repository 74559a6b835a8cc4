import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { findSandbox } from "@/server/exec/sandbox/find-sandbox";
import { createBuiltinSource } from "@/server/tools/tool-source";
import { createToolbox } from "@/server/tools/toolbox";
import { createRecipeCaller, recipe, requireRecipe } from "@/test/recipe-fixture";
import { NO_COMMANDS_FOR_RECIPES, toolScope } from "@/test/tool-fixture";
import { createRecipeTool } from "./recipe-tool";

const createUnprotected = async () => {
  const { sandbox } = await findSandbox("none", { privateDirectories: [] });
  if (!sandbox) throw new Error("there is always a way to run without a sandbox");
  return createRecipeCaller(sandbox);
};

it("without a sandbox, each call that has commands needs an approval, and its files are private all the same", async () => {
  const caller = await createUnprotected();
  const loaded = await requireRecipe(
    recipe({ steps: [["sh", "-c", 'echo hi >"$1"; cat "$1"; echo "$1"', "sh", "${temp_file}"]] }),
  );
  const { call } = await caller.prepare(loaded);
  expect(call).toMatchObject({ type: "run", needsApproval: true });
  const outcome = await caller.runLoaded(loaded, { approved: true });
  expect(outcome).toMatchObject({ state: "completed" });
  const [text, file = ""] = (outcome.output as string).split("\n");
  expect(text).toBe("hi");
  expect(file).toMatch(/parley-call-/);
  expect(existsSync(file)).toBe(false);
});

it("without a sandbox, a call of functions alone needs no approval", async () => {
  const loaded = await requireRecipe(recipe({ steps: [() => undefined] }));
  const { call } = await (await createUnprotected()).prepare(loaded);
  expect(call).toMatchObject({ type: "run", needsApproval: false });
});

it("without a sandbox, a recipe asks each time, also one of functions, as they can run commands", async () => {
  const sandbox = { kind: "none" } as never;
  const loaded = await requireRecipe(recipe({ steps: [() => undefined] }));
  expect(createRecipeTool(loaded, { ...NO_COMMANDS_FOR_RECIPES, sandbox }).asksEachTime).toBe(true);
  expect(createRecipeTool(loaded, NO_COMMANDS_FOR_RECIPES).asksEachTime).toBe(false);
});

it("without a sandbox, the home of a recipe's commands is not their workspace", async () => {
  const caller = await createUnprotected();
  const steps: [string, ...string[]][] = [
    ["sh", "-c", 'ls -A "$HOME"; [ "$HOME" -ef . ] || echo other'],
  ];
  const loaded = await requireRecipe(recipe({ steps, opts: { workspace: "chat" } }));
  const outcome = await caller.runLoaded(loaded, { approved: true });
  expect(outcome).toMatchObject({ state: "completed", output: "other\n" });
});

it("without any way to run commands, a recipe that has some is not offered", async () => {
  const loaded = await requireRecipe(recipe({}));
  const tool = createRecipeTool(loaded, NO_COMMANDS_FOR_RECIPES);
  expect(tool.unavailable).toBe("Tests of other tools run no commands.");
});

it("the systemPrompt of a recipe is in the prompt while the recipe is offered, as a text or by its example", async () => {
  const byExample = recipe({
    name: "by_example",
    example: { who: "Ada" },
    steps: [() => undefined],
    systemPrompt: (example) => `Such as ${JSON.stringify(example)}`,
  });
  const asText = recipe({ name: "as_text", steps: [() => undefined], systemPrompt: "Use it." });
  const tools = await Promise.all(
    [byExample, asText].map(async (each) =>
      createRecipeTool(await requireRecipe(each), NO_COMMANDS_FOR_RECIPES),
    ),
  );
  const readPrompts = async (toolNames: ReadonlySet<string> | null) =>
    (await createToolbox([createBuiltinSource(tools)], toolScope({ toolNames }))).systemPrompts;
  expect((await readPrompts(null)).toSorted()).toEqual(['Such as {"who":"Ada"}', "Use it."]);
  expect(await readPrompts(new Set(["as_text"]))).toEqual(["Use it."]);
});
