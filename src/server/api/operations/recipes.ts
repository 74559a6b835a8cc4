import * as z from "zod";
import {
  Recipe,
  RecipeInput,
  RecipeList,
  RecipeRef,
  RecipeRun,
  RunRecipeInput,
  UpdateRecipeInput,
} from "@/contract/recipe";
import { defineOperation } from "@/server/api/operation";
import {
  createRecipe,
  deleteRecipe,
  listAllRecipes,
  reloadRecipes,
  updateRecipe,
} from "@/server/settings/manage-recipes";
import { runRecipeOnce } from "@/server/settings/run-recipe-once";

export const listRecipesOperation = defineOperation({
  name: "recipes.list",
  method: "GET",
  path: "/config/recipes",
  summary: "List the recipes, and why those are not offered that are not; administrators only",
  scope: "admin",
  input: z.strictObject({}),
  output: RecipeList,
  status: 200,
  run: listAllRecipes,
});

export const reloadRecipesOperation = defineOperation({
  name: "recipes.reload",
  method: "POST",
  path: "/config/recipes/reload",
  summary: "Load the files of recipes again, and list all recipes; administrators only",
  scope: "admin",
  input: z.strictObject({}),
  output: RecipeList,
  status: 200,
  ignoresIdempotencyKey: true,
  run: reloadRecipes,
});

export const createRecipeOperation = defineOperation({
  name: "recipes.create",
  method: "POST",
  path: "/config/recipes",
  summary: "Declare a recipe; administrators only",
  scope: "admin",
  input: RecipeInput,
  output: Recipe,
  status: 201,
  run: createRecipe,
});

export const updateRecipeOperation = defineOperation({
  name: "recipes.update",
  method: "PUT",
  path: "/config/recipes/{name}",
  summary: "Replace a declared recipe; administrators only",
  scope: "admin",
  input: UpdateRecipeInput,
  output: Recipe,
  status: 200,
  run: updateRecipe,
});

export const deleteRecipeOperation = defineOperation({
  name: "recipes.delete",
  method: "DELETE",
  path: "/config/recipes/{name}",
  summary: "Delete a declared recipe; administrators only",
  scope: "admin",
  input: RecipeRef,
  output: z.void(),
  status: 204,
  run: deleteRecipe,
});

export const runRecipeOperation = defineOperation({
  name: "recipes.run",
  method: "POST",
  path: "/config/recipes/{name}/run",
  summary: "Run a recipe once, outside of chats; administrators only",
  scope: "admin",
  input: RunRecipeInput,
  output: RecipeRun,
  status: 200,
  ignoresIdempotencyKey: true,
  run: runRecipeOnce,
});
