import { AwaitedAgents } from "@/contract/agent";
import { Hourglass } from "lucide-react";
import {
  AwaitedAgentList,
  describeAgents,
  toWaitMark,
} from "@/components/tool-cards/awaited-agents";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows the agents that a call waits for, then how each has ended. */
export const WaitAgentCard = ({ output, ...props }: OutputCardProps<AwaitedAgents>) => (
  <ToolCard
    {...props}
    icon={Hourglass}
    label="Wait for agents"
    defaultOpen={props.part.completed_at === undefined}
    detail={output && describeAgents(output)}
    mark={output && toWaitMark(output)}
  >
    <AwaitedAgentList {...props} output={output} />
  </ToolCard>
);

export default withOutput(AwaitedAgents, WaitAgentCard);
