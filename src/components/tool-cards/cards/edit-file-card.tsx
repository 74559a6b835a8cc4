import { FileDiff } from "lucide-react";
import type { ToolCallView } from "@/contract/chat-view";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { TextBlock } from "@/components/tool-cards/text-block";
import { ToolCard, type ToolCardProps } from "@/components/tool-cards/tool-card";

/** Shows what changed in the file, or the edits until they are made. */
const EditFileCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={FileDiff}
    label="Edit file"
    detail={getTextArg(parseCallArgs(part), "path")}
  >
    {part.for_user === undefined && <Edits part={part} />}
    <Outcome part={part} />
  </ToolCard>
);

export default EditFileCard;

const Edits = ({ part }: { part: ToolCallView }) => {
  const { edits } = parseCallArgs(part);
  if (!Array.isArray(edits)) return null;
  const text = edits.map(toDiff).filter((diff) => diff !== "");
  if (text.length === 0) return null;
  return <TextBlock label="Edits" text={text.join("\n\n")} fileName="edits.diff" />;
};

/** Shows an edit as removed and added lines; what has not come yet, and what is no text, is left out. */
const toDiff = (edit: unknown): string => {
  const { old_text, new_text } = Object(edit) as { old_text?: unknown; new_text?: unknown };
  return [...toLines(old_text, "- "), ...toLines(new_text, "+ ")].join("\n");
};

const toLines = (text: unknown, sign: string): string[] =>
  typeof text === "string" && text !== ""
    ? text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => sign + line)
    : [];
