import ToolCall from "@/components/tool-cards/tool-call";
import type { CallPlace } from "@/components/tool-cards/tool-card";
import type { ToolCallView } from "@/contract/chat-view";
import { CARD_STATES } from "@/test/card-states";
import { callInState, NOW } from "./call-in-state";

type Card = { args: { part: ToolCallView; place?: CallPlace } };

const LABEL: Record<(typeof CARD_STATES)[number], string> = {
  streaming: "Streaming",
  running: "Running",
  awaiting_result: "Awaiting result",
  claimed: "Claimed",
  awaiting_approval: "Awaiting approval",
  awaiting_agents: "Awaiting agents",
  completed: "Completed",
  error: "Failed",
  cancelled: "Cancelled",
  timed_out: "Timed out",
  denied: "Denied",
};

/**
 * Creates the story that shows the call of a card in each state that a call can be in. Its tag is `!test`: the states of
 * the frame, and what a card shows by itself, have tests.
 *
 * @param output of the call while it waits for agents.
 */
export const showCallStates = (
  { args: { part, place } }: Card,
  output?: ToolCallView["output"],
) => {
  const { tool_name, kind, args } = part;
  const args_text = JSON.stringify(args).slice(0, -6);
  const call = { tool_name, kind, args, args_text, output: part.output ?? "" };
  const parts = CARD_STATES.map((state) => {
    if (state === "completed" && part.state === "completed") return part;
    const shown = callInState(call, state);
    return state === "awaiting_agents" && output !== undefined ? { ...shown, output } : shown;
  });
  return {
    /** For the test of all cards. */
    parts,
    render: () => (
      <dl className="space-y-6">
        {parts.map((shown, index) => (
          <div key={CARD_STATES[index]}>
            <dt className="mb-2 text-sm text-muted">{LABEL[CARD_STATES[index] ?? "running"]}</dt>
            <dd>
              <ToolCall part={shown} now={NOW} {...(place && { place })} />
            </dd>
          </div>
        ))}
      </dl>
    ),
  };
};
