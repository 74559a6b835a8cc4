import { AlarmClock } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const SetTimerCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={AlarmClock}
    label="Timer"
    detail={getTextArg(parseCallArgs(part), "note")}
  >
    <Outcome part={part} />
  </ToolCard>
);
