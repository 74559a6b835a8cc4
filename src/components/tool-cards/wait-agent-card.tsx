import { Hourglass } from "lucide-react";
import { AwaitedAgentList, describeAgents, toWaitMark } from "./awaited-agents";
import { type BuiltinCardProps, ToolCard } from "./tool-card";

/** Shows the agents that a call waits for, then how each has ended. */
export const WaitAgentCard = ({ output, ...props }: BuiltinCardProps<"wait_agent">) => (
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
