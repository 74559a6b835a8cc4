import {
  AlarmClock,
  Blocks,
  CircleStop,
  FilePen,
  FilePlus2,
  Globe,
  ListChecks,
  type LucideIcon,
  Plug,
  ScrollText,
  Wrench,
} from "lucide-react";
import { parse } from "partial-json";
import type { ToolCallView } from "@/contract/chat-view";
import type { ToolKind } from "@/contract/part";
import type { CardContent, ToolIcon } from "@/contract/tool";
import { isRunByClient } from "@/contract/run-by-client";
import { humanize } from "@/lib/humanize";
import { getTextArg, parseCallArgs } from "./call-args";
import { Elicitations } from "./elicitations";
import { formatJson } from "./format-json";
import { Outcome } from "./outcome";
import { TextBlock } from "./text-block";
import { ToolCard, type ToolCardProps } from "./tool-card";

const KIND_ICON: Record<ToolKind, LucideIcon> = {
  builtin: Wrench,
  dynamic: Plug,
  recipe: ScrollText,
  mcp: Blocks,
  provider: Globe,
  toolset: Plug,
};

const ICON: Record<ToolIcon, LucideIcon> = {
  "alarm-clock": AlarmClock,
  "circle-stop": CircleStop,
  "file-pen": FilePen,
  "file-plus": FilePlus2,
  "list-checks": ListChecks,
  wrench: Wrench,
};

/** Shows a call of a tool that has no card of its own. */
export const GenericCard = (props: ToolCardProps) => {
  const { part, place } = props;
  const content = part.kind === "builtin" ? place?.cards?.[part.tool_name] : undefined;
  return content ? <ContentCard {...props} content={content} /> : <InputCard {...props} />;
};

/** Shows what the server says of the tool; a text is shown until there is one for the person, such as a diff. */
const ContentCard = ({ content, ...props }: ToolCardProps & { content: CardContent }) => {
  const { part } = props;
  const args = parseCallArgs(part);
  const detail = content.detail && getTextArg(args, content.detail);
  const text = content.text && getTextArg(args, content.text.argument);
  return (
    <ToolCard {...props} icon={ICON[content.icon]} label={content.label} detail={detail}>
      {content.text && text !== undefined && part.for_user === undefined && (
        <TextBlock
          label={content.text.label}
          text={text}
          fileName={detail?.split("/").at(-1) ?? `${part.tool_name}.txt`}
        />
      )}
      <Outcome part={part} />
    </ToolCard>
  );
};

/** Shows input and output. */
const InputCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={Object.hasOwn(KIND_ICON, part.kind) ? KIND_ICON[part.kind] : Wrench}
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
  if (!isRunByClient(kind) || output === undefined) return undefined;
  if (state !== "completed" && state !== "error") return undefined;
  const text = typeof output === "string" && output !== "" ? output : JSON.stringify(output);
  return text.slice(0, MAX_ANSWER_LENGTH).replaceAll(/\s+/g, " ").trim();
};

/** Completes partial JSON so that it can be read; shows invalid JSON unchanged. */
const inputText = ({ args_text: partial, ...part }: ToolCallView): string => {
  const args = part.approved_args ?? part.args;
  if (partial === undefined) return typeof args === "string" ? args : formatJson(args);
  try {
    return formatJson(parse(partial));
  } catch {
    return partial;
  }
};
