import { FilePen } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { TextBlock } from "./text-block";
import { ToolCard, type ToolCardProps } from "./tool-card";

/** Shows the written content, or what changed in an existing file. */
export const WriteFileCard = ({ part, ...rest }: ToolCardProps) => {
  const args = parseCallArgs(part);
  const path = getTextArg(args, "path");
  const content = getTextArg(args, "content");
  return (
    <ToolCard {...rest} part={part} icon={FilePen} label="Write file" detail={path}>
      {content !== undefined && part.for_user === undefined && (
        <TextBlock
          label="Content"
          text={content}
          fileName={path?.split("/").at(-1) ?? "file.txt"}
        />
      )}
      <Outcome part={part} />
    </ToolCard>
  );
};
