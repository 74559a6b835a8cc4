"use client";
import { RotateCcw } from "lucide-react";
import { CopyButton } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import { Markdown } from "@/components/ui/markdown";
import type { MessageView } from "@/contract/chat-view";
import { ToolCall } from "@/components/tool-cards/tool-call";
import { formatTokens } from "@/lib/format-tokens";
import { groupParts, type PartGroup } from "./group-parts";
import { MessageNote } from "./message-note";
import { messageText } from "./message-text";
import { ReasoningDisclosure } from "./reasoning-disclosure";
import { Sources } from "./sources";

type AssistantMessageProps = {
  message: MessageView;
  /** The last step of its turn: the place for copying and for trying again. */
  endsTurn: boolean;
  /** Absent where the answer cannot be made again. */
  onRegenerate?: (() => void) | undefined;
  /** Stands in for the clock in stories. */
  now?: number | undefined;
};

/** One step of the assistant: its parts in the order they came. */
export const AssistantMessage = ({
  message,
  endsTurn,
  onRegenerate,
  now,
}: AssistantMessageProps) => {
  const streaming = message.preview === true;
  const groups = groupParts(message.parts);
  return (
    <article aria-label="Assistant" className="group flex min-w-0 flex-col gap-2.5">
      {groups.map((group, index) => (
        <Group
          key={group.key}
          group={group}
          streaming={streaming && index === groups.length - 1}
          now={now}
        />
      ))}
      <MessageNote message={message} />
      {endsTurn && !streaming && <Actions message={message} onRegenerate={onRegenerate} />}
    </article>
  );
};

type GroupProps = { group: PartGroup; streaming: boolean; now: number | undefined };

const Group = ({ group, streaming, now }: GroupProps) => {
  switch (group.type) {
    case "text":
      return <Markdown text={group.part.text} isStreaming={streaming} />;
    case "reasoning":
      return <ReasoningDisclosure part={group.part} streaming={streaming} />;
    case "tool_call":
      return <ToolCall part={group.part} {...(now !== undefined && { now })} />;
    case "sources":
      return <Sources sources={group.parts} />;
  }
};

const Actions = ({
  message,
  onRegenerate,
}: Pick<AssistantMessageProps, "message" | "onRegenerate">) => {
  const text = messageText(message);
  return (
    <div className="-ml-1.5 flex min-h-7 items-center gap-0.5">
      {message.parts.at(-1)?.type === "text" && text !== "" && (
        <CopyButton label="Copy answer" text={text} />
      )}
      {onRegenerate && (
        <IconButton
          size="sm"
          label="Regenerate answer"
          icon={<RotateCcw aria-hidden size={15} />}
          onClick={onRegenerate}
        />
      )}
      <p className="ml-1.5 truncate text-xs text-muted transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0">
        {madeBy(message)}
      </p>
    </div>
  );
};

const madeBy = ({ model, usage }: MessageView): string =>
  [model, usage && `${formatTokens(usage.output_tokens)} tokens`]
    .filter((word) => word !== undefined)
    .join(" · ");
