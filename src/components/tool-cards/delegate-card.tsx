import { Bot } from "lucide-react";
import { getTextArg, parseCallArgs } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const DelegateCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={Bot}
    label="Delegate"
    detail={getTextArg(parseCallArgs(part), "title")}
  >
    <Outcome part={part} />
  </ToolCard>
);
