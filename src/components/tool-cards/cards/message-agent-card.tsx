import { MessageSquare } from "lucide-react";
import { AddressedAgent } from "@/components/tool-cards/addressed-agent";
import { getTextArg, parseCallArgs } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { TextBlock } from "@/components/tool-cards/text-block";
import { ToolCard, type ToolCardProps } from "@/components/tool-cards/tool-card";

/** Shows the message to an agent, and whether it was delivered. */
const MessageAgentCard = (props: ToolCardProps) => {
  const message = getTextArg(parseCallArgs(props.part), "message");
  return (
    <ToolCard {...props} icon={MessageSquare} label="Message agent" detail={message}>
      <AddressedAgent {...props} />
      {message !== undefined && <TextBlock label="Message" text={message} fileName="message.txt" />}
      <Outcome part={props.part} />
    </ToolCard>
  );
};

export default MessageAgentCard;
