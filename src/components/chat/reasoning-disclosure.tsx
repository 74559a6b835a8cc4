import { Disclosure } from "@/components/ui/disclosure";
import { Markdown } from "@/components/ui/markdown";
import type { ReasoningPart } from "@/contract/part";
import { formatDuration } from "@/lib/format";

type ReasoningDisclosureProps = { part: ReasoningPart; isStreaming: boolean };

/** The model's reasoning, collapsed at first. */
export const ReasoningDisclosure = ({ part, isStreaming }: ReasoningDisclosureProps) => (
  <Disclosure summary={toSummary(part, isStreaming)}>
    <div className="border-l-2 pl-4 text-muted">
      <Markdown text={part.text} isStreaming={isStreaming} />
    </div>
  </Disclosure>
);

const toSummary = ({ started_at: from, completed_at: to }: ReasoningPart, isStreaming: boolean) => {
  if (to === undefined) return isStreaming ? "Reasoning…" : "Reasoning";
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 1_000 ? `Reasoned for ${formatDuration(ms)}` : "Reasoning";
};
