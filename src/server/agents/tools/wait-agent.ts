import * as z from "zod";
import { AwaitedAgents } from "@/contract/agent";
import { MAX_AWAITED_AGENTS } from "@/contract/limits";
import { defineTool, type Tool } from "@/server/tools/tool";
import { waitResult } from "@/server/tools/tool-result";
import type { AgentToolDeps } from "./agent-deps";
import { timeoutField } from "./delegate";

export const createWaitAgentTool = ({ waitFor }: AgentToolDeps): Tool<"wait_agent"> =>
  defineTool({
    name: "wait_agent",
    description:
      "Waits until agents of this chat have ended, and gives their reports. One that has not ended by then goes on, and its report comes by itself.",
    example: { chat_ids: ["id-of-agent"] },
    output: AwaitedAgents,
    input: z.object({
      chat_ids: z.array(z.string().max(64)).min(1).max(MAX_AWAITED_AGENTS).describe("The agents."),
      timeout_seconds: timeoutField,
      min_completed: z
        .int()
        .min(1)
        .optional()
        .describe("Goes on when so many of them have ended; by default all."),
    }),
    rootOnly: true,
    repeatable: true,
    run: async ({ chatId }, { chat_ids: agentIds, timeout_seconds: seconds, min_completed }) =>
      waitResult(await waitFor(chatId, { agentIds, seconds, minCompleted: min_completed })),
  });
