import { FilePen } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { FileContent } from "./file-content";
import { ToolCard, type ToolCardProps } from "./tool-card";

/** Shows the written content, or what changed in an existing file. */
export const WriteFileCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={FilePen}
    label="Write file"
    detail={getTextArg(parseCallArgs(part), "path")}
  >
    <FileContent part={part} label="Content" />
  </ToolCard>
);
