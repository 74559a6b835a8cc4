"use client";
import { clsx } from "clsx";
import { ChevronRight, Eraser, FoldVertical, Undo2 } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { FindableFold } from "@/components/ui/findable-fold";
import { Markdown } from "@/components/ui/markdown";
import { useIsPrinting } from "@/components/ui/use-is-printing";
import type { MessageView } from "@/contract/chat-view";
import type { SummaryPart, SummaryReason } from "@/contract/part";
import { formatTokens } from "@/lib/format";
import { toMessageText } from "./message-parts";

type SummaryMessageProps = {
  message: Pick<MessageView, "parts" | "model">;
  /** Absent if the boundary cannot be removed. */
  onUndo?: (() => void) | undefined;
};

/** A boundary in the history: from where the model reads, and the summary that it reads in place of what is before. */
const SummaryMessage = ({ message, onUndo }: SummaryMessageProps) => {
  const summary = message.parts.find((part) => part.type === "summary");
  if (!summary) return null;
  const Icon = summary.reason === "cleared" ? Eraser : FoldVertical;
  return (
    <article
      aria-label={TITLE[summary.reason]}
      className="flex min-w-0 flex-col gap-1.5 border-y py-3 text-sm"
    >
      <header className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden size={15} className="shrink-0 text-muted" />
        <h2 className="min-w-0 font-medium">{TITLE[summary.reason]}</h2>
        <p className="mr-auto text-xs text-muted tabular-nums">{describeTokens(summary)}</p>
        {onUndo && (
          <Button size="sm" variant="ghost" icon={<Undo2 aria-hidden size={14} />} onClick={onUndo}>
            Undo
          </Button>
        )}
      </header>
      <p className="text-muted">{describeReading(summary)}</p>
      {summary.instructions !== undefined && (
        <p className="wrap-anywhere text-muted">You asked to keep: {summary.instructions}</p>
      )}
      {summary.reason !== "cleared" && (
        <SummaryText text={toMessageText(message)} model={message.model} />
      )}
    </article>
  );
};

export default SummaryMessage;

const TITLE: Record<SummaryReason, string> = {
  automatic: "Summed up, as the context was nearly full",
  requested: "Summed up, as you asked",
  overflow: "Summed up, as the chat was too long for the model",
  cleared: "Context cleared",
};

const describeTokens = ({ tokens_before: before, tokens_after: after }: SummaryPart): string =>
  `${formatTokens(before)} → ${formatTokens(after)} tokens`;

const describeReading = ({ reason, kept }: SummaryPart): string => {
  const messages = kept.length === 1 ? "one message" : `${kept.length} messages`;
  const but = kept.length === 0 ? "" : `, but for ${messages}`;
  return reason === "cleared"
    ? `The model no longer reads what is above${but}. It stays here for you.`
    : `The model reads the summary in place of what is above${but}. Everything stays here for you.`;
};

const SummaryText = ({ text, model }: { text: string; model: string | undefined }) => {
  const [isOpened, setOpened] = useState(false);
  const isOpen = useIsPrinting() || isOpened;
  const id = useId();
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpened(!isOpen)}
        className="flex max-w-full items-center gap-1.5 rounded-sm py-0.5 text-left text-muted transition-colors hover:text-text pointer-coarse:py-2"
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={clsx("shrink-0 transition-transform", isOpen && "rotate-90")}
        />
        {isOpen ? "Hide the summary" : "Show the summary"}
      </button>
      <div id={id}>
        <FindableFold isFolded={!isOpen} onFound={() => setOpened(true)}>
          <div data-message-text className="border-l-2 pt-1.5 pl-4">
            <Markdown text={text} isStreaming={false} />
          </div>
          {model !== undefined && (
            <p className="pt-1.5 pl-4 text-xs text-muted">Written by {model}</p>
          )}
        </FindableFold>
      </div>
    </div>
  );
};
