import type { JSONSchema7 } from "@ai-sdk/provider";
import type { JsonObject } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import type { Recipe } from "@/recipes/recipe";

/** A recipe that was checked and can be offered. */
export type LoadedRecipe = {
  name: string;
  description: string;
  parameters: JSONSchema7;
  /** By which the arguments are checked before `parse`; undefined where `parse` checks them. */
  argumentsSchema: JsonObject | undefined;
  /** Whether it takes numbers that JavaScript would round, see `Tool`. */
  takesExactNumbers?: true;
  /** Does not throw. */
  parse: (args: JsonObject) => { request: unknown } | FieldError[];
  example: JsonObject;
  /** In the prompt while the recipe is offered. */
  systemPrompt: string | undefined;
  recipe: Recipe<never>;
};

/** The same, for what runs it: a request is what `parse` has returned. */
export const toRunnable = ({ recipe }: LoadedRecipe): Recipe<unknown> =>
  recipe as unknown as Recipe<unknown>;
