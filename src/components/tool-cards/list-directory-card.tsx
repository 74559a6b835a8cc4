import { FolderOpen } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const ListDirectoryCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={FolderOpen}
    label="List directory"
    detail={getTextArg(parseCallArgs(part), "path") ?? "."}
  >
    <Outcome part={part} />
  </ToolCard>
);
