import * as z from "zod";
import { MAX_AGENT_PROMPT_LENGTH } from "@/contract/limits";
import { defineTool, type Tool } from "@/server/tools/tool";
import { toolResult, withTask } from "@/server/tools/tool-result";
import type { AgentToolDeps } from "./agent-deps";
import { filesField } from "./spawn-agent";

const WORDS = {
  started: "The agent had ended, and works again. Its report comes by itself.",
  queued: "The agent works; it reads the message when its turn ends.",
  interrupted: "The turn of the agent was interrupted; it reads the message now.",
};

export const createMessageAgentTool = ({ messageAgent }: AgentToolDeps): Tool<"message_agent"> =>
  defineTool({
    name: "message_agent",
    description:
      "Sends a message to an agent of this chat: more work for one that has ended, or word for one that works.",
    example: { chat_id: "id-of-agent", message: "Write it in French." },
    input: z.object({
      chat_id: z.string().max(64).describe("The agent."),
      message: z.string().trim().min(1).max(MAX_AGENT_PROMPT_LENGTH),
      interrupt: z
        .boolean()
        .optional()
        .describe("True to interrupt its turn for the message, rather than wait for the end."),
      files: filesField,
    }),
    rootOnly: true,
    run: async (context, { chat_id: agentId, message: text, interrupt = false, files }) => {
      const { delivery, taskId } = await messageAgent(context, { agentId, text, interrupt, files });
      return withTask(toolResult(WORDS[delivery]), taskId);
    },
  });
