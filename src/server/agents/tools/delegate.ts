import * as z from "zod";
import { AwaitedAgents } from "@/contract/agent";
import { DEFAULT_AGENT_WAIT_SECONDS, MAX_AGENT_WAIT_SECONDS } from "@/contract/limits";
import { defineTool, type Tool } from "@/server/tools/tool";
import { waitResult } from "@/server/tools/tool-result";
import type { AgentToolDeps } from "./agent-deps";
import { NEW_AGENT_FIELDS } from "./spawn-agent";

/** For the tools that wait. */
export const timeoutField = z
  .number()
  .min(1)
  .max(MAX_AGENT_WAIT_SECONDS)
  .default(DEFAULT_AGENT_WAIT_SECONDS)
  .describe("How long to wait at most. After that the agent goes on in the background.");

export const createDelegateTool = ({
  describeTypes,
  startAgent,
  waitFor,
}: AgentToolDeps): Tool<"delegate"> =>
  defineTool({
    name: "delegate",
    description:
      "Starts an agent as spawn_agent does, and waits for its report. For work whose outcome you need before you go on.",
    describe: describeTypes,
    example: { prompt: "List the open points of notes.md." },
    output: AwaitedAgents,
    input: z.object({ ...NEW_AGENT_FIELDS, timeout_seconds: timeoutField }),
    rootOnly: true,
    repeatable: true,
    run: async (context, { model_id: modelId, timeout_seconds: seconds, ...agent }) => {
      const { chat_id: id } = await startAgent(context, { ...agent, modelId });
      const wait = { agentIds: [id], minCompleted: undefined, seconds };
      return waitResult(await waitFor(context.chatId, wait));
    },
  });
