import * as z from "zod";
import { InterruptedAgent } from "@/contract/agent";
import { defineTool, type Tool } from "@/server/tools/tool";
import { jsonResult } from "@/server/tools/tool-result";
import type { AgentToolDeps } from "./agent-deps";

export const createInterruptAgentTool = ({
  interruptAgent,
}: AgentToolDeps): Tool<"interrupt_agent"> =>
  defineTool({
    name: "interrupt_agent",
    description:
      "Stops what an agent of this chat does. What it has written so far comes as its report.",
    example: { chat_id: "id-of-agent" },
    output: InterruptedAgent,
    input: z.object({ chat_id: z.string().max(64).describe("The agent.") }),
    rootOnly: true,
    run: async (context, { chat_id: agentId }) =>
      jsonResult({ interrupted: await interruptAgent(context, agentId) }),
  });
