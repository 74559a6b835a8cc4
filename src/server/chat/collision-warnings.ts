import type { DynamicTool } from "@/contract/dynamic-tool";
import type { ServerContext } from "@/server/context";
import { log } from "@/server/log";
import { createToolbox } from "@/server/tools/toolbox";

/** @returns a sentence for each dynamic tool that a new chat declares and will not be offered. */
export const collisionWarnings = async (
  { toolSources, actor }: ServerContext,
  { chatId, dynamicTools }: { chatId: string; dynamicTools: readonly DynamicTool[] },
): Promise<string[]> => {
  if (dynamicTools.length === 0) return [];
  const { warnings } = await createToolbox(toolSources, {
    chatId,
    rootChatId: chatId,
    userId: actor.userId,
    isRoot: true,
    dynamicTools,
    hasAdvisor: true,
    log: log(),
  });
  return warnings;
};
