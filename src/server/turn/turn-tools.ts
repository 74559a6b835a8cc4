import type { Group } from "@/contract/group";
import type { ToolModes } from "@/contract/tool";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import type { ChatRow } from "@/server/db/chats/rows";
import { type ChatAccess, toViewer } from "@/server/db/chats/viewer";
import type { PrepareDeps } from "@/server/tools/prepare-call";
import type { ToolChat, ToolLog } from "@/server/tools/tool-context";
import type { ToolSource } from "@/server/tools/tool-source";
import { listOfferedDynamicTools } from "@/server/tools/group-tools";
import { createToolbox, type Toolbox } from "@/server/tools/toolbox";
import { listChosenTools } from "@/server/settings/chosen-tools";
import { hasApprovalRule } from "./has-approval-rule";
import type { TurnDeps, TurnTools } from "./turn-deps";

type TurnToolsInput = {
  sources: readonly ToolSource[];
  advisor: AdvisorRuntime | undefined;
  chat: ChatAccess &
    Pick<
      ChatRow,
      "id" | "rootChatId" | "parentChatId" | "dynamicTools" | "toolNames" | "groupNames"
    >;
  /** Those that the chat has chosen, in its order. */
  groups: readonly Group[];
  toolModes: ToolModes;
  log: Pick<ToolLog, "warn">;
};

/** Creates a turn's tools. In a child chat, `advisor` is ignored. */
export const createTurnTools = async (input: TurnToolsInput): Promise<TurnTools> => {
  const { sources, chat, groups, toolModes, log } = input;
  const isRoot = chat.parentChatId === null;
  const found = isRoot ? input.advisor : undefined;
  const toolbox = await createToolbox(sources, {
    ...toToolChat(chat),
    isRoot,
    dynamicTools: listOfferedDynamicTools(chat),
    toolNames: listChosenTools(chat, groups),
    toolModes,
    hasAdvisor: found !== undefined,
    log,
  });
  // The prompt must not name a tool that the chat has not chosen, or that is off.
  const advisor = toolbox.offered.get("advisor") ? found : undefined;
  return { toolbox, advisor, groups, basis: toToolsBasis(chat, toolModes) };
};

/** Converts what the tools of a step are made from, to see whether the next step needs others. */
export const toToolsBasis = (
  { toolNames, groupNames, dynamicTools }: Omit<TurnTools["basis"], "toolModes">,
  toolModes: ToolModes,
): TurnTools["basis"] => ({ toolNames, groupNames, dynamicTools, toolModes });

export const toToolChat = (chat: ChatAccess & Pick<ChatRow, "id" | "rootChatId">): ToolChat => ({
  chatId: chat.id,
  rootChatId: chat.rootChatId,
  userId: toViewer(chat).userId,
});

/** What preparing calls of a turn needs. */
export const toPrepareDeps = (
  { db, log }: Pick<TurnDeps, "db" | "log">,
  chat: ChatRow,
  toolbox: Toolbox,
): PrepareDeps => ({
  toolbox,
  chat: toToolChat(chat),
  hasApprovalRule: (call) => hasApprovalRule(db, chat, call),
  log,
});
