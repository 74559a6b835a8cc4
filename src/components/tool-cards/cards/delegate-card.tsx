import { AwaitedAgents } from "@/contract/agent";
import { Bot } from "lucide-react";
import { AwaitedAgentList, toWaitMark } from "@/components/tool-cards/awaited-agents";
import { getTextArg, parseCallArgs } from "@/components/tool-cards/call-args";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows the agent that a call has started and waits for, then its report. */
export const DelegateCard = ({ output, ...props }: OutputCardProps<AwaitedAgents>) => {
  const title = output?.agents[0]?.title ?? getTextArg(parseCallArgs(props.part), "title");
  return (
    <ToolCard
      {...props}
      icon={Bot}
      label="Delegate"
      defaultOpen={props.part.completed_at === undefined}
      detail={title}
      mark={output && toWaitMark(output)}
    >
      <AwaitedAgentList {...props} output={output} title={title} />
    </ToolCard>
  );
};

export default withOutput(AwaitedAgents, DelegateCard);
