import { FilePlus2 } from "lucide-react";
import { FileContent } from "./file-content";
import { parseCallArgs, getTextArg } from "./call-args";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const AppendFileCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={FilePlus2}
    label="Append to file"
    detail={getTextArg(parseCallArgs(part), "path")}
  >
    <FileContent part={part} label="Added" />
  </ToolCard>
);
