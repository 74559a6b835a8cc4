import * as z from "zod";
import type { JsonRequest, Recipe } from "./recipe";

export { z };
export type {
  CallContext,
  CommandResult,
  CommandStep,
  FetchedPage,
  FunctionStep,
  OutputPrompt,
  Recipe,
  RecipeEnv,
  RecipeOptions,
  RecipeStep,
  RecipeValues,
  StepResult,
  StepTools,
} from "./recipe";

/** Types a recipe of a file by its parameters. Files import it from `parley/recipes`. */
export const defineRecipe = <Request = JsonRequest>(recipe: Recipe<Request>): Recipe<Request> =>
  recipe;
