import type { MessageView, PartView, ToolCallView } from "@/contract/chat-view";
import type { ReasoningPart, SourcePart, TextPart } from "@/contract/part";

/** Parts that are rendered together; adjacent sources form one list. */
export type PartGroup = { key: string } & (
  | { type: "text"; part: TextPart }
  | { type: "reasoning"; part: ReasoningPart }
  | { type: "tool_call"; part: ToolCallView }
  | { type: "sources"; parts: SourcePart[] }
);

/** Groups non-empty parts in order. A tool call has the same key in the preview and when committed. */
export const groupParts = (parts: readonly PartView[]): PartGroup[] => {
  const groups: PartGroup[] = [];
  parts.forEach((part, index) => {
    const last = groups.at(-1);
    const key = `${part.type}-${index}`;
    switch (part.type) {
      case "text":
      case "reasoning":
        if (part.text !== "") groups.push({ key, type: part.type, part } as PartGroup);
        break;
      case "tool_call":
        groups.push({ key: part.tool_call_id, type: "tool_call", part });
        break;
      case "source":
        if (last?.type === "sources") last.parts.push(part);
        else groups.push({ key, type: "sources", parts: [part] });
        break;
    }
  });
  return groups;
};

/** Returns the text parts of a message, without tool calls and reasoning. */
export const toMessageText = ({ parts }: Pick<MessageView, "parts">): string =>
  parts
    .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
    .join("\n\n");
