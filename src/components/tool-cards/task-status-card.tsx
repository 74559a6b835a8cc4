import { ListChecks } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const TaskStatusCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={ListChecks}
    label="Task status"
    detail={getTextArg(parseCallArgs(part), "task_id")}
  >
    <Outcome part={part} />
  </ToolCard>
);
