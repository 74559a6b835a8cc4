import * as z from "zod";
import { Clock } from "lucide-react";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Longest output shown inline, in characters. */
const MAX_INLINE_LENGTH = 80;

export const CurrentTimeCard = ({ part, output, ...rest }: OutputCardProps<string>) => (
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

export default withOutput(z.string(), CurrentTimeCard);
