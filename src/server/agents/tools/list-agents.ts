import * as z from "zod";
import { AgentList } from "@/contract/agent";
import { MAX_AGENTS, MAX_LISTED_AGENTS } from "@/contract/limits";
import { defineTool, type Tool } from "@/server/tools/tool";
import { jsonResult } from "@/server/tools/tool-result";
import type { AgentToolDeps } from "./agent-deps";

export const createListAgentsTool = ({ listAgents }: AgentToolDeps): Tool<"list_agents"> =>
  defineTool({
    name: "list_agents",
    description: "Lists the agents of this chat, the oldest first.",
    output: AgentList,
    input: z.object({
      limit: z.int().min(1).max(MAX_LISTED_AGENTS).default(MAX_LISTED_AGENTS),
      offset: z.int().min(0).max(MAX_AGENTS).default(0),
    }),
    rootOnly: true,
    repeatable: true,
    run: async ({ chatId }, { limit, offset }) => {
      const { agents, total } = await listAgents(chatId, { limit, offset });
      return jsonResult({
        agents: agents.map(({ id, createdAt, updatedAt, ...agent }) => ({
          chat_id: id,
          ...agent,
          created_at: createdAt.toISOString(),
          updated_at: updatedAt.toISOString(),
        })),
        total,
        has_more: offset + agents.length < total,
      });
    },
  });
