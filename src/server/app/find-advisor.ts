import { type AdvisorRuntime, createAdvisorRuntime } from "@/server/advisor/advisor-runtime";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import { findModel } from "@/server/db/settings/model-reads";
import type { ChatModel } from "@/server/model/model-step";
import { resolveModel } from "./resolve-model";
import type { ProcessDeps } from "./process-deps";

/** The advisor of a chat's turn. Does not reject. */
export const findAdvisor = (
  deps: Pick<ProcessDeps, "db" | "cached" | "models">,
  chat: Pick<ClaimedChat, "parentChatId" | "modelId" | "advisorConfig">,
  log: { warn: (fields: object, message: string) => void },
): Promise<AdvisorRuntime | undefined> =>
  createAdvisorRuntime({
    isRoot: chat.parentChatId === null,
    config: chat.advisorConfig,
    resolveChatModel: () => resolveModel(deps, chat),
    resolveOverride: (modelId) => overrideModel(deps, modelId),
    log,
  });

const overrideModel = async (
  { db, models }: Pick<ProcessDeps, "db" | "models">,
  modelId: string,
): Promise<ChatModel | { problem: string }> => {
  const model = await findModel(db, modelId);
  if (!model) return { problem: "it does not exist any more" };
  if (!model.enabled) return { problem: "it is disabled" };
  const problem = models.findProblem(model);
  return problem === undefined ? models.toChatModel(model) : { problem };
};
