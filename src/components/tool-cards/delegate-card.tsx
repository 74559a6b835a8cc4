import { Bot } from "lucide-react";
import { AwaitedAgentList, toWaitMark } from "./awaited-agents";
import { getTextArg, parseCallArgs } from "./call-args";
import { type BuiltinCardProps, ToolCard } from "./tool-card";

/** Shows the agent that a call has started and waits for, then its report. */
export const DelegateCard = ({ output, ...props }: BuiltinCardProps<"delegate">) => {
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
