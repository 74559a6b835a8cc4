import { Trash2 } from "lucide-react";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { ToolCard, type ToolCardProps } from "@/components/tool-cards/tool-card";

const DeleteFileCard = ({ part, ...rest }: ToolCardProps) => {
  const args = parseCallArgs(part);
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={Trash2}
      label={args.recursive === true ? "Delete with everything in it" : "Delete file"}
      detail={getTextArg(args, "path")}
    >
      <Outcome part={part} />
    </ToolCard>
  );
};

export default DeleteFileCard;
