import { expect, it } from "vitest";
import type { RecipeRow } from "@/server/db/settings/recipe-reads";
import { createToolSources } from "@/server/tools/tool-source";
import { createToolbox } from "@/server/tools/toolbox";
import {
  builtinTools,
  NO_COMMANDS_FOR_RECIPES,
  NO_RECIPE_FILES,
  toolScope,
} from "@/test/tool-fixture";
import { createRecipeLister } from "./list-recipe-tools";

const createRow = (index: number): RecipeRow => ({
  name: `recipe_${index}`,
  updatedAt: new Date(0),
  declaration: {
    name: `recipe_${index}`,
    description: "Greets somebody",
    parameters: { type: "object", properties: { who: { type: "string" } } },
    example: { who: "Ada" },
    steps: [["printf", "%s", "${who}"]],
    enabled: true,
  },
});

it("200 recipes become tools once for all turns", async () => {
  const rows = Array.from({ length: 200 }, (_, index) => createRow(index));
  const sandbox = { kind: "none" } as never;
  const lister = createRecipeLister({
    listRows: () => Promise.resolve(rows),
    listFiles: NO_RECIPE_FILES.list,
    deps: { ...NO_COMMANDS_FOR_RECIPES, sandbox },
    workspacesProblem: undefined,
  });
  const tools = await lister();
  expect(await lister()).toBe(tools);
  const { definitions } = await createToolbox(
    createToolSources(builtinTools, { recipe: lister }),
    toolScope(),
  );
  expect(definitions.filter(({ name }) => name.startsWith("recipe_"))).toHaveLength(200);
});
