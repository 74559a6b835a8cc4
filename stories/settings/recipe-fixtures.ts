import type { Recipe, RecipeInput } from "@/contract/recipe";

export const WEATHER_INPUT: RecipeInput = {
  name: "weather",
  description: "Looks up the weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  example: { city: "Bern" },
  env: { unit: "metric" },
  steps: [
    ["curl", "wttr.in/${city}"],
    ["echo", "in ${unit} units"],
  ],
  opts: { timeout_seconds: 30, needs_approval: true },
  enabled: true,
};

const toRecipe = (declaration: RecipeInput): Recipe => ({
  name: declaration.name,
  source: "declared",
  declaration,
  description: declaration.description,
  enabled: declaration.enabled,
});

export const WEATHER = toRecipe(WEATHER_INPUT);
export const SWITCHED_OFF = toRecipe({
  ...WEATHER_INPUT,
  name: "deploy_documentation",
  description: "Publishes the documentation of this project, and reports the address where it is",
  enabled: false,
});
export const FROM_FILE: Recipe = {
  name: "code_runner",
  source: "file",
  file: "code-runner.ts",
  enabled: true,
  description: "Runs code in Python, JavaScript or sh",
};
export const BROKEN: Recipe = {
  name: "lint.ts",
  source: "file",
  file: "lint.ts",
  description: "",
  enabled: true,
  problem: { file: "lint.ts", line: 12, message: "/example/path is required." },
};
export const RECIPES = [WEATHER, SWITCHED_OFF, FROM_FILE, BROKEN];
