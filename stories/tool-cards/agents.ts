import type { Agent, AgentOutcome, AwaitedAgents } from "@/contract/agent";
import type { CallClaim } from "@/contract/call";
import type { ToolCallView } from "@/contract/chat-view";
import { toOpenCall } from "@/test/to-open-call";

export const FIRST_AGENT = "0198c0de-0000-7000-8000-0000000000a1";
const SECOND_AGENT = "0198c0de-0000-7000-8000-0000000000a2";
const THIRD_AGENT = "0198c0de-0000-7000-8000-0000000000a3";

/** The output of a call while it waits: the deadline is 90 seconds after the clock of the stories. */
export const WAIT = {
  chat_ids: [FIRST_AGENT, SECOND_AGENT, THIRD_AGENT],
  min_completed: 3,
  deadline_at: "2026-03-12T12:01:34.000Z",
};

export const COMPLETED: AgentOutcome = {
  chat_id: FIRST_AGENT,
  title: "Measure pino",
  state: "completed",
  report: "**pino** writes 120,000 lines a second.\n\n- no transport\n- JSON only",
};
export const FAILED: AgentOutcome = {
  chat_id: SECOND_AGENT,
  title: "Measure winston",
  state: "failed",
  report: "I had begun to install it.",
  error: { kind: "rate_limit", retryable: true },
};
export const RUNNING: AgentOutcome = {
  chat_id: THIRD_AGENT,
  title: "Measure bunyan",
  state: "running",
};

/** The output of a call when it has ended. */
export const getWait = (
  agents: AgentOutcome[],
  endedBy: AwaitedAgents["ended_by"] = "agents",
  note?: string,
): NonNullable<ToolCallView["output"]> => {
  const timed_out = endedBy === "deadline";
  const output: AwaitedAgents = { agents, ended_by: endedBy, timed_out, ...(note && { note }) };
  return output as NonNullable<ToolCallView["output"]>;
};

export const GO_ON = "1 of these agents go on in the background. Their reports come by themselves.";

export const LIVE_AGENT: Agent = {
  chat_id: FIRST_AGENT,
  title: "Measure pino",
  type: "explore",
  status: "running",
  task_id: "0198c0de-0000-7000-8000-0000000000b1",
  task_state: "running",
  tool_call_id: "call_1",
  steps: 3,
  cost_micros: 12_000,
  last_line: "Runs the benchmark",
  required_action: null,
  started_at: "2026-03-12T12:00:00.000Z",
  ended_at: null,
};

const CALL = toOpenCall({ tool_call_id: "call_9", tool_name: "check_order", args: {} });

const waitForCall = (claim: CallClaim | null): Pick<Agent, "status" | "required_action"> => ({
  status: "requires_action",
  required_action: {
    deadline_at: "2026-03-13T12:00:00.000Z",
    message_id: CALL.message_id,
    tool_calls: [{ ...CALL, claim }],
    approvals: [],
  },
});

/** What an agent has whose call waits for a person. */
export const ASKING = waitForCall(null);

/** What an agent has whose call a program works on. */
export const CLAIMED = waitForCall({
  holder: "runner-7",
  claimed_at: "2026-03-12T12:00:00.000Z",
  expires_at: "2026-03-12T12:05:00.000Z",
});
