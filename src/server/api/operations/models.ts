import * as z from "zod";
import { ModelList } from "@/contract/chat-outputs";
import { DiscoveredModels, Model, ModelTestResult } from "@/contract/model";
import {
  CreateModelInput,
  DiscoverModelsInput,
  ListModelsInput,
  ModelRef,
  UpdateModelInput,
} from "@/contract/model-inputs";
import { defineOperation } from "@/server/api/operation";
import { requireScope } from "@/server/api/operation-context";
import {
  createModel,
  deleteModel,
  discoverModels,
  testModel,
  updateModel,
} from "@/server/settings/manage-models";
import { requireOwner } from "@/server/settings/require-owner";
import type { ServerContext } from "@/server/context";
import { listModels } from "@/server/db/settings/model-reads";
import type { ModelRow } from "@/server/db/chats/rows";

export const listModelsOperation = defineOperation({
  name: "models.list",
  method: "GET",
  path: "/models",
  summary: "List the models that chats may use",
  scope: "read",
  input: ListModelsInput,
  output: ModelList,
  status: 200,
  run: async (ctx, { all }) => {
    if (all) {
      requireOwner(ctx.actor);
      requireScope(ctx.actor.credential, "admin");
      return { data: (await listModels(ctx.db)).map((row) => toConfiguredModel(ctx, row)) };
    }
    return {
      data: (await listModels(ctx.db))
        .filter(({ enabled }) => enabled)
        .map((row) => toWireModel(ctx, row)),
    };
  },
});

export const createModelOperation = defineOperation({
  name: "models.create",
  method: "POST",
  path: "/models",
  summary: "Add a model; administrators only",
  scope: "admin",
  input: CreateModelInput,
  output: Model,
  status: 201,
  ignoresIdempotencyKey: true,
  run: async (ctx, input) => toConfiguredModel(ctx, await createModel(ctx, input)),
});

export const updateModelOperation = defineOperation({
  name: "models.update",
  method: "PATCH",
  path: "/models/{model_id}",
  summary: "Change a model; administrators only",
  scope: "admin",
  input: UpdateModelInput,
  output: Model,
  status: 200,
  ignoresIdempotencyKey: true,
  run: async (ctx, input) => toConfiguredModel(ctx, await updateModel(ctx, input)),
});

export const deleteModelOperation = defineOperation({
  name: "models.delete",
  method: "DELETE",
  path: "/models/{model_id}",
  summary: "Delete a model; administrators only",
  scope: "admin",
  input: ModelRef,
  output: z.void(),
  status: 204,
  run: deleteModel,
});

export const testModelOperation = defineOperation({
  name: "models.test",
  method: "POST",
  path: "/models/{model_id}/test",
  summary: "Call a model once, and say whether it answers; administrators only",
  scope: "admin",
  input: ModelRef,
  output: ModelTestResult,
  status: 200,
  ignoresIdempotencyKey: true,
  run: testModel,
});

export const discoverModelsOperation = defineOperation({
  name: "models.discover",
  method: "POST",
  path: "/models/discover",
  summary: "List the models that a provider's server has; administrators only",
  scope: "admin",
  input: DiscoverModelsInput,
  output: DiscoveredModels,
  status: 200,
  ignoresIdempotencyKey: true,
  run: discoverModels,
});

type ModelContext = Pick<ServerContext, "models">;

const toWireParameters = ({ models }: ModelContext, row: ModelRow): Partial<Model> => {
  const efforts = models.listEfforts(row);
  return {
    ...(efforts && { reasoning_efforts: [...efforts] }),
    ...(row.reasoningEffort !== null && { reasoning_effort: row.reasoningEffort }),
    ...(row.temperature !== null && { temperature: row.temperature }),
    ...(row.maxOutputTokens !== null && { max_output_tokens: row.maxOutputTokens }),
  };
};

const toWireTools = ({ providerTools }: ModelRow): Partial<Model> =>
  providerTools.length > 0 ? { provider_tools: providerTools } : {};

const toWireModel = (ctx: ModelContext, row: ModelRow): Model => {
  const abilities = ctx.models.listAbilities(row);
  return {
    id: row.id,
    provider: row.provider,
    model: row.model,
    name: row.name,
    context_limit: row.contextLimit,
    ...(abilities && { abilities: [...abilities] }),
    ...(row.reads !== null && { reads: row.reads }),
    tool_protocol: row.toolProtocol,
    ...(row.prices && { prices: row.prices }),
    ...(row.waitMinutes !== null && { wait_minutes: row.waitMinutes }),
    ...toWireParameters(ctx, row),
    ...(row.compactAt !== null && { compact_at: row.compactAt }),
    // One that calls tools in XML has no others.
    ...(row.toolProtocol === "native" && toWireTools(row)),
    enabled: row.enabled,
    is_default: row.isDefault,
  };
};

const toConfiguredModel = (ctx: ModelContext, row: ModelRow): Model => {
  const { models } = ctx;
  const problem = models.findProblem(row);
  return {
    ...toWireModel(ctx, row),
    ...toWireTools(row),
    access: {
      source: row.fromEnvironment ? "environment" : "settings",
      from_environment: models.usesEnvironment(row),
      base_url: row.baseUrl,
      key: models.findKeySource(row),
      ...(row.fileStores.length > 0 && { file_stores: row.fileStores }),
      ...(problem !== undefined && { problem }),
    },
  };
};
