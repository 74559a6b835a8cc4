import { Bot } from "lucide-react";
import { StartedAgent } from "@/contract/agent";
import { AgentRows, toAgentMark } from "@/components/tool-cards/agent-row";
import { getTextArg, parseCallArgs } from "@/components/tool-cards/call-args";
import { LiveAgent } from "@/components/tool-cards/live-agent";
import { Outcome } from "@/components/tool-cards/outcome";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows the agent that a call has started, with a link to its chat. */
export const SpawnAgentCard = ({ part, output, ...rest }: OutputCardProps<StartedAgent>) => {
  const agent = rest.place?.agents?.find(({ chat_id: id }) => id === output?.chat_id);
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={Bot}
      label="Start agent"
      detail={output?.title ?? getTextArg(parseCallArgs(part), "title")}
      // The call has ended at once; a person wants to see how its agent stands.
      mark={agent && toAgentMark(agent)}
    >
      {output ? (
        <AgentRows>
          <LiveAgent
            {...rest}
            chatId={output.chat_id}
            title={output.title}
            type={output.type}
            fallback={FIRST_STATE[output.state]}
          />
        </AgentRows>
      ) : (
        <Outcome part={part} />
      )}
    </ToolCard>
  );
};

export default withOutput(StartedAgent, SpawnAgentCard);

/** The call has ended, so its outcome says how the agent began and nothing of now. */
const FIRST_STATE: Record<StartedAgent["state"], string> = {
  running: "It started to work at once.",
  queued: "It was queued, and starts when another agent has ended.",
};
