import { z } from "zod";
import { ModelList } from "@/contract/chat-outputs";
import type { Model } from "@/contract/model";
import { defineOperation } from "@/server/api/operation";
import { listModels } from "@/server/db/model-reads";
import type { ModelRow } from "@/server/db/rows";

export const listModelsOperation = defineOperation({
  name: "models.list",
  method: "GET",
  path: "/models",
  summary: "List the models that chats may use",
  scope: "read",
  input: z.strictObject({}),
  output: ModelList,
  status: 200,
  run: async (ctx) => ({
    data: (await listModels(ctx.db)).filter(({ enabled }) => enabled).map(toWireModel),
  }),
});

const toWireModel = (row: ModelRow): Model => ({
  id: row.id,
  provider: row.provider,
  model: row.model,
  name: row.name,
  context_limit: row.contextLimit,
  ...(row.prices && { prices: row.prices }),
  enabled: row.enabled,
  is_default: row.isDefault,
});
