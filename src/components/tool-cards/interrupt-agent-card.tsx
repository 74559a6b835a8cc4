import { CircleStop } from "lucide-react";
import { getTextArg, parseCallArgs } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const InterruptAgentCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={CircleStop}
    label="Stop agent"
    detail={getTextArg(parseCallArgs(part), "chat_id")}
  >
    <Outcome part={part} />
  </ToolCard>
);
