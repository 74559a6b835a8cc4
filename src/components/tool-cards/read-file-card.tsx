import { FileText } from "lucide-react";
import { callArgs, numberArg, textArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const ReadFileCard = ({ part, ...rest }: ToolCardProps) => {
  const args = callArgs(part);
  const path = textArg(args, "path");
  const first = numberArg(args, "offset");
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
