import { DomainError } from "@/contract/domain-error";
import type { JsonObject } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import type { RecipeRun, RunRecipeInput } from "@/contract/recipe";
import type { Actor, ServerContext } from "@/server/context";
import { findRecipe } from "@/server/db/settings/recipe-reads";
import { log } from "@/server/log";
import { maskSecrets } from "@/server/mask-secrets";
import { loadDeclared } from "@/server/recipes/declared-recipe";
import type { LoadedRecipe } from "@/server/recipes/loaded-recipe";
import { exitRecipe } from "@/server/recipes/exit-call";
import { planCall } from "@/server/recipes/plan-call";
import { runRecipe } from "@/server/recipes/run-recipe";
import { tryValidateValues } from "@/server/tools/validation/validate-values";
import { findFileRecipe } from "./recipe-names";
import { requireOwner } from "./require-owner";

/** An administrator waits for the answer, so a run ends earlier than a call may. */
const MAX_RUN_MS = 120_000;

/**
 * Runs a recipe once, outside of any chat. An administrator who runs it has approved it.
 *
 * @throws {DomainError} `forbidden`; `not_found`; `invalid` for a request that does not fit.
 */
export const runRecipeOnce = async (
  ctx: ServerContext,
  { name, request: args }: RunRecipeInput,
): Promise<RecipeRun> => {
  const { actor, recipes } = ctx;
  requireOwner(actor);
  const loaded = await requireLoaded(ctx, name);
  const request = await requireRequest(actor, loaded, args ?? loaded.example);
  const startedAt = performance.now();
  const plan = await planCall(loaded, request);
  const call = { userId: actor.userId, labels: {} };
  const context = { call, rootChatId: "", signal: AbortSignal.timeout(MAX_RUN_MS), log: log() };
  const result = await runRecipe(plan, { ...context, emit: () => undefined }, recipes)
    .catch(() => {
      throw new DomainError("unavailable", `The recipe took longer than ${MAX_RUN_MS / 1_000} s.`);
    })
    .finally(() => exitRecipe(loaded, request));
  return {
    is_error: result.isError,
    output: maskSecrets(result.forLlm),
    ...(result.forUser !== undefined && { for_user: maskSecrets(result.forUser) }),
    commands: plan.commands.map((argv) => [...argv]),
    duration_ms: Math.round(performance.now() - startedAt),
  };
};

const requireLoaded = async (
  { db, recipeFiles }: ServerContext,
  name: string,
): Promise<LoadedRecipe> => {
  const file = findFileRecipe(await recipeFiles.list(), name);
  if (file) return file.loaded;
  const row = await findRecipe(db, name);
  if (!row) throw new DomainError("not_found", `There is no recipe "${name}".`);
  return loadDeclared(row.declaration);
};

/** @returns the request as the recipe reads it. */
const requireRequest = async (
  { userId }: Actor,
  { argumentsSchema, name, parse }: LoadedRecipe,
  value: JsonObject,
): Promise<unknown> => {
  const [errors] = await tryValidateValues([{ schema: argumentsSchema, value }], userId);
  const found = errors ?? [{ pointer: "", message: "could not be checked in time" }];
  if (found.length > 0) throw doesNotFit(name, found);
  const parsed = parse(value);
  if (Array.isArray(parsed)) throw doesNotFit(name, parsed);
  return parsed.request;
};

const doesNotFit = (name: string, errors: readonly FieldError[]): DomainError =>
  new DomainError("invalid", `The request does not fit "${name}".`, {
    errors: errors.map(({ pointer, message }) => ({ pointer: `/request${pointer}`, message })),
  });
