import { Disclosure } from "@/components/ui/disclosure";
import { Markdown } from "@/components/ui/markdown";
import type { ReasoningPart } from "@/contract/part";
import { formatDuration } from "@/lib/format-duration";

type ReasoningDisclosureProps = { part: ReasoningPart; streaming: boolean };

/** What the model thought before it spoke, folded away. */
export const ReasoningDisclosure = ({ part, streaming }: ReasoningDisclosureProps) => (
  <Disclosure summary={summary(part, streaming)}>
    <div className="border-l-2 pl-4 text-muted">
      <Markdown text={part.text} isStreaming={streaming} />
    </div>
  </Disclosure>
);

const summary = ({ started_at: from, completed_at: to }: ReasoningPart, streaming: boolean) => {
  if (to === undefined) return streaming ? "Reasoning…" : "Reasoning";
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 1_000 ? `Reasoned for ${formatDuration(ms)}` : "Reasoning";
};
