import { FilePen } from "lucide-react";
import { callArgs, textArg } from "./call-args";
import { Outcome } from "./outcome";
import { TextBlock } from "./text-block";
import { ToolCard, type ToolCardProps } from "./tool-card";

/** What is written, or what changed where there was a file before. */
export const WriteFileCard = ({ part, ...rest }: ToolCardProps) => {
  const args = callArgs(part);
  const path = textArg(args, "path");
  const content = textArg(args, "content");
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
