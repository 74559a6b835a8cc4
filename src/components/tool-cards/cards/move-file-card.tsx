import { FileSymlink } from "lucide-react";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { ToolCard, type ToolCardProps } from "@/components/tool-cards/tool-card";

const MoveFileCard = ({ part, ...rest }: ToolCardProps) => {
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

export default MoveFileCard;
