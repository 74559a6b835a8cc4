import { expect, it } from "vitest";
import type { RecipeRow } from "@/server/db/settings/recipe-reads";
import { measureMedian, readCpuMs } from "@/test/cpu-time";
import { NO_COMMANDS_FOR_RECIPES, NO_RECIPE_FILES } from "@/test/tool-fixture";
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

/** 200 recipes may add this to the start of a process, in milliseconds of CPU time. */
const MAX_START_MS = 20;

it("200 recipes are tools within 20 ms", async () => {
  const rows = Array.from({ length: 200 }, (_, index) => createRow(index));
  const sandbox = { kind: "none" } as never;
  const startMs = await measureMedian("milliseconds", async () => {
    const lister = createRecipeLister({
      listRows: () => Promise.resolve(rows),
      listFiles: NO_RECIPE_FILES.list,
      deps: { ...NO_COMMANDS_FOR_RECIPES, sandbox },
      workspacesProblem: undefined,
    });
    const before = process.threadCpuUsage();
    expect(await lister()).toHaveLength(200);
    return readCpuMs(before);
  });
  expect(startMs).toBeLessThan(MAX_START_MS);
});
