import { CircleStop } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const TaskCancelCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={CircleStop}
    label="Cancel task"
    detail={getTextArg(parseCallArgs(part), "task_id")}
  >
    <Outcome part={part} />
  </ToolCard>
);
