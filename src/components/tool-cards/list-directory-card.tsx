import { FolderOpen } from "lucide-react";
import { callArgs, textArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const ListDirectoryCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={FolderOpen}
    label="List directory"
    detail={textArg(callArgs(part), "path") ?? "."}
  >
    <Outcome part={part} />
  </ToolCard>
);
