import { Hourglass } from "lucide-react";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const WaitAgentCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard {...rest} part={part} icon={Hourglass} label="Wait for agents" detail={undefined}>
    <Outcome part={part} />
  </ToolCard>
);
