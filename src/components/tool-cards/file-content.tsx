import type { ToolCallView } from "@/contract/chat-view";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { TextBlock } from "./text-block";

type FileContentProps = { part: ToolCallView; label: string };

/** Shows what a call writes to a file, or what changed in the file, and how the call ended. */
export const FileContent = ({ part, label }: FileContentProps) => {
  const args = parseCallArgs(part);
  const content = getTextArg(args, "content");
  const fileName = getTextArg(args, "path")?.split("/").at(-1) ?? "file.txt";
  return (
    <>
      {content !== undefined && part.for_user === undefined && (
        <TextBlock label={label} text={content} fileName={fileName} />
      )}
      <Outcome part={part} />
    </>
  );
};
