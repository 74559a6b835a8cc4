import { Button } from "@/components/ui/button";
import type { Agent } from "@/contract/agent";
import { formatCost } from "@/lib/format";
import { AgentRow, toAgentState } from "./agent-row";
import { Elapsed } from "./elapsed";
import { isTaskOpen } from "./task-words";
import type { ToolCardProps } from "./tool-card";

type LiveAgentProps = Pick<ToolCardProps, "place" | "now"> & {
  chatId: string;
  /** For an agent of which the chat does not say how it stands. */
  title: string;
  type?: string | undefined;
  /** What is known of such an agent. */
  fallback?: string | undefined;
};

/** One agent as it stands now, which can be stopped while it works. */
export const LiveAgent = ({ chatId, title, type, fallback, place, now }: LiveAgentProps) => {
  const agent = place?.agents?.find(({ chat_id: id }) => id === chatId);
  const link = { chatId, type, onNavigate: place?.onNavigate };
  if (agent === undefined) {
    return (
      <AgentRow {...link} title={title}>
        {fallback !== undefined && <p className="text-sm text-muted">{fallback}</p>}
      </AgentRow>
    );
  }
  return (
    <AgentRow {...link} title={agent.title} state={toAgentState(agent)}>
      {agent.last_line !== null && <p className="truncate text-sm text-muted">{agent.last_line}</p>}
      <Progress agent={agent} now={now} onStop={place?.onStopTask} />
    </AgentRow>
  );
};

type ProgressProps = {
  agent: Agent;
  now: number | undefined;
  onStop: ((taskId: string) => void) | undefined;
};

const Progress = ({ agent, now, onStop }: ProgressProps) => (
  <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
    <span>{agent.steps === 1 ? "1 step" : `${agent.steps} steps`}</span>
    {agent.cost_micros > 0 && <span>{formatCost(agent.cost_micros)}</span>}
    {agent.started_at !== null && (
      <Elapsed startedAt={agent.started_at} completedAt={agent.ended_at ?? undefined} now={now} />
    )}
    {onStop && isTaskOpen(agent.task_state) && (
      <Button
        size="sm"
        aria-label={`Stop this agent: ${agent.title}`}
        onClick={() => onStop(agent.task_id)}
      >
        Stop
      </Button>
    )}
  </div>
);
