import { MessageSquare } from "lucide-react";
import { AddressedAgent } from "./addressed-agent";
import { getTextArg, parseCallArgs } from "./call-args";
import { Outcome } from "./outcome";
import { TextBlock } from "./text-block";
import { ToolCard, type ToolCardProps } from "./tool-card";

/** Shows what an agent was told, and what became of the message. */
export const MessageAgentCard = (props: ToolCardProps) => {
  const message = getTextArg(parseCallArgs(props.part), "message");
  return (
    <ToolCard {...props} icon={MessageSquare} label="Message agent" detail={message}>
      <AddressedAgent {...props} />
      {message !== undefined && <TextBlock label="Message" text={message} fileName="message.txt" />}
      <Outcome part={props.part} />
    </ToolCard>
  );
};
