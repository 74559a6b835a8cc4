import type { AgentLimits } from "@/contract/limits";
import { countAgents, listAgents } from "@/server/db/tasks/agent-reads";
import type { AgentType, AgentTypesConfig } from "@/contract/agent-type";
import { memoizeByObject } from "@/lib/memoize-by-object";
import type { CachedRead } from "@/server/db/settings/cached-read";
import { withShippedTypes } from "@/server/db/settings/agent-type-reads";
import type { Database } from "@/server/db/connection/database";
import type { AgentToolDeps, NewAgent } from "@/server/agents/tools/agent-deps";
import type { RunningStep, ToolContext } from "@/server/tools/tool-context";
import { renderImages } from "./agent-files";
import { interruptAgent, messageAgent } from "./direct-agents";
import { createStartTogether } from "./start-together";
import { planWait } from "./wait-for-agents";
import type { ClaimNew } from "@/server/db/sql/machine/claim";

type Deps = {
  db: Database;
  newId: () => string;
  agentLimits: AgentLimits;
  agentTypes: CachedRead<AgentTypesConfig>;
  /** The tools of the agent type `explore`, by name. */
  exploreTools: () => readonly string[];
};

/** What a turn gives to the calls of its step for their agents. */
export type AgentStep = RunningStep & {
  /** Claims new agents for the worker of the turn. */
  claimNew?: ClaimNew;
};

/** What the tools for agents use. */
export const createAgentToolDeps = (deps: Deps): AgentToolDeps => {
  const { db } = deps;
  const toTypes = memoizeByObject(
    (saved: AgentTypesConfig) => withShippedTypes(saved, deps.exploreTools()).agent_types,
  );
  const toDescription = memoizeByObject(describeTypes);
  const startTogether = createStartTogether(deps);
  return {
    describeTypes: async () => toDescription(toTypes(await deps.agentTypes.get())),
    startAgent: async (call, input) => {
      const { claimNew }: AgentStep = call.running;
      await renderFiles(db, call, input);
      return startTogether({ call, input, types: toTypes(await deps.agentTypes.get()), claimNew });
    },
    listAgents: async (chatId, page) => {
      const [agents, total] = await Promise.all([
        listAgents(db, chatId, page),
        countAgents(db, chatId),
      ]);
      return {
        agents: agents.map(({ id, title, agentType, status, task, createdAt, updatedAt }) => ({
          id,
          title,
          type: agentType,
          status,
          state: task.state,
          createdAt,
          updatedAt,
        })),
        total,
      };
    },
    messageAgent: async (call, message) => {
      await renderFiles(db, call, message);
      return messageAgent(deps, { call, message });
    },
    interruptAgent: ({ chatId, actor }, agentId) =>
      interruptAgent(deps, { chatId, agentId, by: actor }),
    waitFor: (chatId, wait) => planWait(db, { chatId, ...wait }),
  };
};

/** Calls without files begin at once, so that those of a message start together. */
const renderFiles = async (
  db: Database,
  { chatId: rootChatId, userId }: Pick<ToolContext, "chatId" | "userId">,
  { files: ids }: Pick<NewAgent, "files">,
): Promise<void> => {
  if (ids) await renderImages(db, { ids, rootChatId, userId });
};

/** What the model may choose among. */
const describeTypes = (types: readonly AgentType[]): string =>
  `Types: ${types.map(({ name, description }) => [name, description].filter(Boolean).join(" - ")).join("; ")}`;
