import { FileSymlink } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const MoveFileCard = ({ part, ...rest }: ToolCardProps) => {
  const args = parseCallArgs(part);
  const from = getTextArg(args, "from");
  const to = getTextArg(args, "to");
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={FileSymlink}
      label="Move file"
      detail={from !== undefined && to !== undefined ? `${from} → ${to}` : from}
    >
      <Outcome part={part} />
    </ToolCard>
  );
};
