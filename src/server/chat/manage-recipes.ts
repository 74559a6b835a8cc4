import { DomainError } from "@/contract/domain-error";
import type { FieldError } from "@/contract/problem";
import type { Recipe, RecipeInput, RecipeRun, RunRecipeInput } from "@/contract/recipe";
import type { Actor, ServerContext } from "@/server/context";
import { findRecipe, forgetRecipes, listRecipes, type RecipeRow } from "@/server/db/recipe-reads";
import {
  changeRecipes,
  deleteRecipeRow,
  insertRecipe,
  replaceRecipe,
} from "@/server/db/recipe-writes";
import { log } from "@/server/log";
import { maskSecrets } from "@/server/mask-secrets";
import { findProblems, loadDeclared } from "@/server/tools/recipes/declared-recipe";
import type { LoadedRecipe } from "@/server/tools/recipes/loaded-recipe";
import { planCall } from "@/server/tools/recipes/plan-call";
import { runRecipe } from "@/server/tools/recipes/run-recipe";
import { tryValidateValues } from "@/server/tools/validate-values";
import { requireOwner } from "./require-owner";

/** Lists all recipes. @throws {DomainError} `forbidden`. */
export const listAllRecipes = async ({ db, actor }: ServerContext): Promise<Recipe[]> => {
  requireOwner(actor);
  return (await listRecipes(db)).map(toWireRecipe);
};

/** @throws {DomainError} `forbidden`; `invalid`; `conflict` for a name that is taken. */
export const createRecipe = async (ctx: ServerContext, input: RecipeInput): Promise<Recipe> => {
  requireOwner(ctx.actor);
  await requireSound(ctx.actor, input);
  return changeAndRead(ctx, input.name, async (tx) => {
    if (await findRecipe(tx, input.name)) throw nameTaken(input.name);
    await insertRecipe(tx, input);
  });
};

/**
 * Replaces a recipe, for the next calls of all chats.
 *
 * @throws {DomainError} `forbidden`; `not_found`; `invalid`.
 */
export const updateRecipe = async (ctx: ServerContext, input: RecipeInput): Promise<Recipe> => {
  requireOwner(ctx.actor);
  await requireRow(ctx.db, input.name);
  await requireSound(ctx.actor, input);
  return changeAndRead(ctx, input.name, async (tx) => {
    await requireRow(tx, input.name);
    await replaceRecipe(tx, input);
  });
};

/** @throws {DomainError} `forbidden`, `not_found`. */
export const deleteRecipe = async (
  { db, actor }: ServerContext,
  { name }: { name: string },
): Promise<void> => {
  requireOwner(actor);
  await changeRecipes(db, async (tx) => {
    await requireRow(tx, name);
    await deleteRecipeRow(tx, name);
  });
  forgetRecipes(db);
};

/** An administrator waits for the answer, so a run ends earlier than a call may. */
const MAX_RUN_MS = 120_000;

/**
 * Runs a recipe once, outside of any chat. An administrator who runs it has approved it.
 *
 * @throws {DomainError} `forbidden`; `not_found`; `invalid` for a request that does not fit.
 */
export const runRecipeOnce = async (
  { db, actor, recipes }: ServerContext,
  { name, request }: RunRecipeInput,
): Promise<RecipeRun> => {
  requireOwner(actor);
  const loaded = loadDeclared((await requireRow(db, name)).declaration);
  const args = request ?? loaded.example;
  await requireRequest(actor, loaded, args);
  const startedAt = performance.now();
  const plan = await planCall(loaded, args);
  const context = { rootChatId: "", signal: AbortSignal.timeout(MAX_RUN_MS), log: log() };
  const result = await runRecipe(plan, { ...context, emit: () => undefined }, recipes).catch(() => {
    throw new DomainError("unavailable", `The recipe took longer than ${MAX_RUN_MS / 1_000} s.`);
  });
  return {
    is_error: result.isError,
    output: maskSecrets(result.forLlm),
    ...(result.forUser !== undefined && { for_user: maskSecrets(result.forUser) }),
    commands: plan.commands.map((argv) => [...argv]),
    duration_ms: Math.round(performance.now() - startedAt),
  };
};

const requireRequest = async (
  { userId }: Actor,
  { argumentsSchema, name }: LoadedRecipe,
  value: RunRecipeInput["request"] & object,
): Promise<void> => {
  const [errors] = await tryValidateValues([{ schema: argumentsSchema, value }], userId);
  const found = errors ?? [{ pointer: "", message: "could not be checked in time" }];
  if (found.length === 0) return;
  throw invalid(
    `The request does not fit "${name}".`,
    found.map(({ pointer, message }) => ({ pointer: `/request${pointer}`, message })),
  );
};

const changeAndRead = async (
  { db }: ServerContext,
  name: string,
  change: Parameters<typeof changeRecipes<void>>[1],
): Promise<Recipe> => {
  const row = await changeRecipes(db, async (tx) => {
    await change(tx);
    return requireRow(tx, name);
  });
  forgetRecipes(db);
  return toWireRecipe(row);
};

const requireSound = async ({ userId }: Actor, input: RecipeInput): Promise<void> => {
  const problems = await findProblems(input, userId);
  if (problems.length > 0) throw invalid("The recipe cannot run as it is.", problems);
};

/** @throws {DomainError} `not_found`. */
const requireRow = async (
  queryable: Parameters<typeof findRecipe>[0],
  name: string,
): Promise<RecipeRow> => {
  const row = await findRecipe(queryable, name);
  if (!row) throw new DomainError("not_found", `There is no recipe "${name}".`);
  return row;
};

const invalid = (message: string, errors: FieldError[]): DomainError =>
  new DomainError("invalid", message, { errors });

const nameTaken = (name: string): DomainError =>
  new DomainError("conflict", `There is a recipe "${name}" already.`, {
    shouldRetry: false,
    errors: [{ pointer: "/name", message: "is taken" }],
  });

const toWireRecipe = ({ name, declaration, updatedAt }: RecipeRow): Recipe => ({
  ...{ name, source: "declared", declaration },
  ...{ description: declaration.description, enabled: declaration.enabled },
  ...{ parameters: declaration.parameters, example: declaration.example },
  updated_at: updatedAt.toISOString(),
});
