import type { PartView, ToolCallView } from "@/contract/chat-view";
import type { ReasoningPart, SourcePart, TextPart } from "@/contract/part";

/** What is rendered as one thing; neighbouring sources are one list. */
export type PartGroup = { key: string } & (
  | { type: "text"; part: TextPart }
  | { type: "reasoning"; part: ReasoningPart }
  | { type: "tool_call"; part: ToolCallView }
  | { type: "sources"; parts: SourcePart[] }
);

/** Parts in order, without the empty ones. A tool call keeps its key when its message is committed. */
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
