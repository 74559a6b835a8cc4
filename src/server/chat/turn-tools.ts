import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import type { ChatRow } from "@/server/db/rows";
import type { Tool } from "@/server/tools/tool";
import type { ToolLog } from "@/server/tools/tool-context";
import { createToolbox } from "@/server/tools/toolbox";
import type { TurnTools } from "./turn-ports";

const ADVISOR = "advisor";

type TurnToolParts = {
  tools: readonly Tool[];
  advisor: AdvisorRuntime | undefined;
  chat: Pick<ChatRow, "parentChatId" | "dynamicTools">;
  log: Pick<ToolLog, "warn">;
};

/** Puts a turn's tools together: the advisor's one exactly when there is an advisor to ask. */
export const createTurnTools = ({ tools, advisor, chat, log }: TurnToolParts): TurnTools => {
  const isRoot = chat.parentChatId === null;
  const asked = isRoot ? advisor : undefined;
  const toolbox = createToolbox({
    tools: asked ? tools : tools.filter(({ name }) => name !== ADVISOR),
    // A setting must not turn the same name into another tool in the middle of a chat.
    reserved: [ADVISOR],
    isRoot,
    dynamicTools: chat.dynamicTools,
    log,
  });
  return { toolbox, advisor: asked };
};
