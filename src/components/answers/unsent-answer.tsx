import { FileWarning } from "lucide-react";
import { useId } from "react";
import { BreakableText } from "@/components/ui/breakable-text";
import { humanize } from "@/lib/humanize";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";

/** What was written for a call that is no longer open. */
type UnsentDraft = { toolCallId: string; toolName: string; text: string };

type UnsentAnswerProps = {
  /** Why it cannot be sent, as a sentence. */
  reason: string;
  drafts: readonly UnsentDraft[];
  onDiscard: () => void;
};

/** Keeps what was written for calls that ended before it was sent, to be read and copied. */
export const UnsentAnswer = ({ reason, drafts, onDiscard }: UnsentAnswerProps) => {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-1 gap-2 rounded-xl border bg-surface px-4 py-3 text-sm"
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p id={id} role="status" className="flex min-w-0 flex-1 basis-56 items-start gap-2">
          <FileWarning aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
          <span className="min-w-0">{reason} Your draft was not sent.</span>
        </p>
        <Button size="sm" variant="ghost" onClick={onDiscard}>
          Discard draft
        </Button>
      </div>
      {drafts.map(({ toolCallId, toolName, text }) => (
        <div key={toolCallId} className="min-w-0 overflow-hidden rounded-md border bg-raised">
          <div className="flex min-h-8 items-center justify-between gap-2 border-b pr-1 pl-3">
            <p className="min-w-0 text-xs wrap-anywhere text-muted">{humanize(toolName)}</p>
            <CopyButton label={`Copy draft for ${humanize(toolName)}`} text={text} />
          </div>
          <pre
            role="group"
            aria-label={`Draft for ${humanize(toolName)}`}
            tabIndex={0}
            className="max-h-60 overflow-auto px-3 py-2 font-sans text-sm wrap-anywhere whitespace-pre-wrap -outline-offset-2"
          >
            <BreakableText text={text} />
          </pre>
        </div>
      ))}
    </section>
  );
};
