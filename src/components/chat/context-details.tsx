import { FoldVertical } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import type { Chat } from "@/contract/chat";
import type { UsageKind } from "@/contract/usage";
import { formatCost, formatTokens } from "@/lib/format";

type ContextDetailsProps = Pick<Chat, "usage"> & {
  /** The tokens that are used, and the limit if it is known. */
  used: string;
  /** What the model no longer gets as it is, with how it gets it. */
  omitted: readonly [name: string, value: string][];
  /** Sums up what came before; absent while the chat is busy or archived. */
  onCompact?: (() => void) | undefined;
};

/** What a chat has used of the context and in all, in the details of the ring. */
const ContextDetails = ({ used, usage, omitted, onCompact }: ContextDetailsProps) => (
  <>
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 tabular-nums">
      <Row name="Context used">{used}</Row>
      <Row name="Input tokens">{formatTokens(usage.input_tokens)}</Row>
      <Row name="Output tokens">{formatTokens(usage.output_tokens)}</Row>
      {usage.cost_micros > 0 && <Row name="Cost of this chat">{formatCost(usage.cost_micros)}</Row>}
      <UsageByKind usage={usage} />
      {omitted.map(([name, value]) => (
        <Row key={name} name={name}>
          {value}
        </Row>
      ))}
    </dl>
    {omitted.length > 0 && (
      <p className="mt-2 text-muted">
        Newer files take the room of older ones in a request. The messages keep them.
      </p>
    )}
    {onCompact && (
      <div className="mt-3">
        <Button size="sm" icon={<FoldVertical aria-hidden size={14} />} onClick={onCompact}>
          Sum up what came before
        </Button>
      </div>
    )}
  </>
);

export default ContextDetails;

const KIND_LABELS: readonly [kind: UsageKind, label: string][] = [
  ["turn", "Agent"],
  ["advisor", "Advisor"],
  ["title", "Titles"],
  ["compaction", "Summaries"],
];

/** Usage by kind, shown if there is more than one. */
const UsageByKind = ({ usage }: Pick<Chat, "usage">) => {
  const kinds = KIND_LABELS.flatMap(([kind, label]) => {
    const totals = usage.by_kind[kind];
    return totals ? [{ label, totals }] : [];
  });
  if (kinds.length < 2) return null;
  return kinds.map(({ label, totals }) => (
    <Row key={label} name={label}>
      {formatTokens(totals.input_tokens)} in, {formatTokens(totals.output_tokens)} out
      {usage.cost_micros > 0 && `, ${formatCost(totals.cost_micros)}`}
    </Row>
  ));
};

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="text-right">{children}</dd>
  </>
);
