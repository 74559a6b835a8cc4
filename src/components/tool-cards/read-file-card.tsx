import { FileText } from "lucide-react";
import { parseCallArgs, getNumberArg, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const ReadFileCard = ({ part, ...rest }: ToolCardProps) => {
  const args = parseCallArgs(part);
  const path = getTextArg(args, "path");
  const first = getNumberArg(args, "offset");
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={FileText}
      label="Read file"
      detail={path !== undefined && first !== undefined ? `${path} from line ${first}` : path}
    >
      <Outcome part={part} />
    </ToolCard>
  );
};
