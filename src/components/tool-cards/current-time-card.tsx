import { Clock } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { type BuiltinCardProps, ToolCard } from "./tool-card";

/** Longest output shown inline, in characters. */
const MAX_INLINE_LENGTH = 80;

export const CurrentTimeCard = ({ part, output, ...rest }: BuiltinCardProps<"current_time">) => (
  <ToolCard
    {...rest}
    part={part}
    icon={Clock}
    label="Current time"
    detail={
      output !== undefined && output.length <= MAX_INLINE_LENGTH
        ? output
        : getTextArg(parseCallArgs(part), "time_zone")
    }
  >
    <Outcome part={part} />
  </ToolCard>
);
