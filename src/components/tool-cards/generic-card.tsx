import { Blocks, Globe, type LucideIcon, Plug, ScrollText, Wrench } from "lucide-react";
import { parse } from "partial-json";
import type { ToolCallView } from "@/contract/chat-view";
import type { ToolKind } from "@/contract/part";
import { humanize } from "@/lib/humanize";
import { jsonText } from "./json-text";
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

/** The card of every tool that has none of its own: what went in, and what came out. */
export const GenericCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={Object.hasOwn(ICON, part.kind) ? ICON[part.kind] : Wrench}
    label={humanize(part.tool_name)}
    detail={undefined}
  >
    <TextBlock label="Input" text={inputText(part)} fileName={`${part.tool_name}-input.json`} />
    <Outcome part={part} />
  </ToolCard>
);

/** Half a JSON text is closed to be readable; what is no JSON at all is shown as it came. */
const inputText = ({ args, args_text: partial }: ToolCallView): string => {
  if (partial === undefined) return typeof args === "string" ? args : jsonText(args);
  try {
    return jsonText(parse(partial));
  } catch {
    return partial;
  }
};
