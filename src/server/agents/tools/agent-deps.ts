import type { AgentWait, StartedAgent } from "@/contract/agent";
import type { ChatStatus } from "@/contract/chat";
import type { TaskState } from "@/contract/task-state";
import type { ToolContext } from "@/server/tools/tool-context";

/** The call that starts an agent, or tells it something. */
export type AgentCall = Pick<
  ToolContext,
  "chatId" | "messageId" | "toolCallId" | "turnId" | "actor"
>;

export type SentAgentMessage = {
  delivery: "started" | "queued" | "interrupted";
  /** The task that the message has begun; undefined for an agent that has one. */
  taskId: string | undefined;
};

/** What a call says of an agent that it starts. */
export type NewAgent = {
  prompt: string;
  title?: string | undefined;
  type?: string | undefined;
  modelId?: string | undefined;
  /** Ids of files of the chat and its agents. */
  files?: readonly string[] | undefined;
};

/** What a call tells an agent. */
export type AgentMessage = Pick<NewAgent, "files"> & {
  agentId: string;
  text: string;
  interrupt: boolean;
};

/** An agent as the model sees it. */
export type AgentSummary = {
  id: string;
  title: string;
  type: string | null;
  status: ChatStatus;
  state: TaskState;
  createdAt: Date;
  updatedAt: Date;
};

/**
 * The agents of a root chat. Each function rejects with a `ToolFailure` for what the model can mend, such as an id that
 * the chat has no agent of, and then nothing has changed.
 */
export type AgentToolDeps = {
  /** Describes the types of agents, in their order; the first one is taken where a call names none. */
  describeTypes: () => Promise<string>;
  /** The same call starts one agent, however often it runs. */
  startAgent: (
    call: AgentCall & Pick<ToolContext, "running" | "userId">,
    agent: NewAgent,
  ) => Promise<StartedAgent>;
  listAgents: (
    chatId: string,
    page: { limit: number; offset: number },
  ) => Promise<{ agents: AgentSummary[]; total: number }>;
  messageAgent: (
    call: AgentCall & Pick<ToolContext, "userId">,
    message: AgentMessage,
  ) => Promise<SentAgentMessage>;
  /** @returns false when it was idle. */
  interruptAgent: (call: AgentCall, agentId: string) => Promise<boolean>;
  /** @returns what the call waits for. */
  waitFor: (
    chatId: string,
    wait: { agentIds: readonly string[]; minCompleted: number | undefined; seconds: number },
  ) => Promise<AgentWait>;
};
