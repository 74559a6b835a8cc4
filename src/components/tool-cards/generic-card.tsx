import { Blocks, Globe, type LucideIcon, Plug, ScrollText, Wrench } from "lucide-react";
import { parse } from "partial-json";
import type { ToolCallView } from "@/contract/chat-view";
import type { ToolKind } from "@/contract/part";
import { humanize } from "@/lib/humanize";
import { Elicitations } from "./elicitations";
import { formatJson } from "./format-json";
import { Outcome } from "./outcome";
import { TextBlock } from "./text-block";
import { ToolCard, type ToolCardProps } from "./tool-card";

const ICON: Record<ToolKind, LucideIcon> = {
  builtin: Wrench,
  dynamic: Plug,
  recipe: ScrollText,
  mcp: Blocks,
  provider: Globe,
};

/** Shows input and output of a tool that has no card of its own. */
export const GenericCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={Object.hasOwn(ICON, part.kind) ? ICON[part.kind] : Wrench}
    label={humanize(part.tool_name)}
    detail={toAnswer(part)}
  >
    <TextBlock label="Input" text={inputText(part)} fileName={`${part.tool_name}-input.json`} />
    <Elicitations
      elicitations={part.elicitations ?? []}
      isOpen={part.state === "awaiting_result"}
    />
    <Outcome part={part} />
  </ToolCard>
);

/** More does not fit into the line of a card, in UTF-16 units. */
const MAX_ANSWER_LENGTH = 200;

/** @returns the answer of a dynamic call in one line, as it is what a person looks for. */
const toAnswer = ({ kind, state, output }: ToolCallView): string | undefined => {
  if (kind !== "dynamic" || output === undefined) return undefined;
  if (state !== "completed" && state !== "error") return undefined;
  const text = typeof output === "string" && output !== "" ? output : JSON.stringify(output);
  return text.slice(0, MAX_ANSWER_LENGTH).replaceAll(/\s+/g, " ").trim();
};

/** Completes partial JSON so that it can be read; shows invalid JSON unchanged. */
const inputText = ({ args, args_text: partial }: ToolCallView): string => {
  if (partial === undefined) return typeof args === "string" ? args : formatJson(args);
  try {
    return formatJson(parse(partial));
  } catch {
    return partial;
  }
};
