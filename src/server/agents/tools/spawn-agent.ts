import * as z from "zod";
import { StartedAgent } from "@/contract/agent";
import { MAX_AGENT_PROMPT_LENGTH, MAX_MESSAGE_FILES } from "@/contract/limits";
import { defineTool, type Tool } from "@/server/tools/tool";
import { jsonResult, withTask } from "@/server/tools/tool-result";
import type { AgentToolDeps } from "./agent-deps";

/** For the tools that give an agent something to do. */
export const filesField = z
  .array(z.string().max(64))
  .max(MAX_MESSAGE_FILES)
  .optional()
  .describe(
    "Ids of files that the agent sees: artifact_id of attached files, ids of artifacts of results.",
  );

/** The arguments of the tools that start an agent. */
export const NEW_AGENT_FIELDS = {
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(MAX_AGENT_PROMPT_LENGTH)
    .describe(
      "What the agent has to do, with all that it must know: it reads nothing of this chat.",
    ),
  title: z.string().trim().min(1).max(80).optional().describe("A few words that name the work."),
  type: z.string().max(64).optional().describe("The type of the agent; the first one by default."),
  model_id: z
    .string()
    .max(64)
    .optional()
    .describe("Another model; that of the type, or of this chat, by default."),
  files: filesField,
};

export const createSpawnAgentTool = ({
  describeTypes,
  startAgent,
}: AgentToolDeps): Tool<"spawn_agent"> =>
  defineTool({
    name: "spawn_agent",
    description:
      "Starts an agent that works on its own, in the background, with the files of this chat. The call ends at once; the report of the agent comes later, by itself.",
    describe: describeTypes,
    example: { prompt: "List the open points of notes.md." },
    output: StartedAgent,
    input: z.object(NEW_AGENT_FIELDS),
    rootOnly: true,
    repeatable: true,
    run: async (context, { model_id: modelId, ...agent }) => {
      const started = await startAgent(context, { ...agent, modelId });
      // The task of its first work has the id of the agent.
      return withTask(jsonResult(started), started.chat_id);
    },
  });
