import { MessageSquare } from "lucide-react";
import { getTextArg, parseCallArgs } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const MessageAgentCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={MessageSquare}
    label="Message agent"
    detail={getTextArg(parseCallArgs(part), "message")}
  >
    <Outcome part={part} />
  </ToolCard>
);
