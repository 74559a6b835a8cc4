import { Clock } from "lucide-react";
import { callArgs, textArg } from "./call-args";
import { cardState } from "./card-state";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

/** Longer than any time and its zone; what is longer is no time. */
const MAX_TIME_LENGTH = 80;

export const CurrentTimeCard = ({ part, ...rest }: ToolCardProps) => {
  const { output } = part;
  const answer =
    cardState(part) === "completed" &&
    typeof output === "string" &&
    output.length <= MAX_TIME_LENGTH
      ? output
      : undefined;
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={Clock}
      label="Current time"
      detail={answer ?? textArg(callArgs(part), "time_zone")}
    >
      <Outcome part={part} />
    </ToolCard>
  );
};
