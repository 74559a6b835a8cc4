import type { Agent } from "@/contract/agent";
import type { LiveAgent } from "@/server/db/tasks/agent-reads";
import { toWireRequiredAction } from "./wire-call";

export const toWireAgent = ({ task, parked, lastLine, ...agent }: LiveAgent): Agent => ({
  chat_id: agent.id,
  title: agent.title,
  type: agent.agentType,
  status: agent.status,
  task_id: task.id,
  task_state: task.state,
  tool_call_id: task.toolCallId,
  steps: agent.turnSteps,
  cost_micros: Object.values(agent.usage).reduce((sum, { cost_micros: cost }) => sum + cost, 0),
  last_line: lastLine,
  required_action: parked ? toWireRequiredAction(parked.chat, parked.openCalls) : null,
  started_at: task.startedAt?.toISOString() ?? null,
  ended_at: task.endedAt?.toISOString() ?? null,
});
