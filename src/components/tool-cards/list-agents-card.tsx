import { Bot } from "lucide-react";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const ListAgentsCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard {...rest} part={part} icon={Bot} label="Agents" detail={undefined}>
    <Outcome part={part} />
  </ToolCard>
);
