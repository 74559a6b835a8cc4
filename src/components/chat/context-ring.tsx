import { clsx } from "clsx";
import { ImageOff } from "lucide-react";
import type { ReactNode } from "react";
import { Popover } from "@/components/ui/popover";
import type { Chat } from "@/contract/chat";
import type { OmittedFiles, UsageKind } from "@/contract/usage";
import { formatCost, formatTokens } from "@/lib/format";

type ContextRingProps = Pick<Chat, "context" | "usage"> & {
  /** What the last request had no room for. */
  omittedFiles?: OmittedFiles | undefined;
};

const RADIUS = 7;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** From this share on, the ring says in words what it shows. */
const NOTABLE_SHARE = 0.75;

/**
 * A ring that shows how full the model's context is and opens token counts and cost. Nothing where the limit is unknown, as
 * there is nothing to compare with, unless files are no longer sent.
 */
export const ContextRing = ({ context, usage, omittedFiles }: ContextRingProps) => {
  const capacity = toCapacity(context);
  const omitted = listOmitted(omittedFiles);
  if (!capacity && omitted.length === 0) return null;
  const notes = omitted.map((row) => row.join(": "));
  return (
    <Popover
      title="Context and usage"
      trigger={
        <button
          type="button"
          aria-label={[capacity?.label ?? [], notes].flat().join(". ")}
          className="flex h-8 items-center gap-2 rounded-md px-2 text-xs text-muted tabular-nums transition-colors hover:bg-hover hover:text-text data-popup-open:bg-hover pointer-coarse:h-10"
        >
          <Ring share={capacity?.share ?? 0} />
          {capacity?.note}
          {omitted.length > 0 && <ImageOff aria-hidden size={15} />}
        </button>
      }
    >
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 tabular-nums">
        <Row name="Context used">
          {formatTokens(context.used_tokens)}
          {capacity && ` / ${capacity.limit}`}
        </Row>
        <Row name="Input tokens">{formatTokens(usage.input_tokens)}</Row>
        <Row name="Output tokens">{formatTokens(usage.output_tokens)}</Row>
        {usage.cost_micros > 0 && (
          <Row name="Cost of this chat">{formatCost(usage.cost_micros)}</Row>
        )}
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
    </Popover>
  );
};

/** @returns undefined if the limit is unknown. A limit of 0 counts as unknown. */
const toCapacity = ({ used_tokens: used, limit_tokens: limit }: Chat["context"]) => {
  if (limit === null || limit <= 0) return undefined;
  const share = Math.min(1, used / limit);
  const text = `Context ${Math.round(share * 100)}% full`;
  return {
    share,
    limit: formatTokens(limit),
    label: `${text}: ${formatTokens(used)} of ${formatTokens(limit)} tokens`,
    note: share >= NOTABLE_SHARE && text,
  };
};

/** What the model no longer gets as it is, with how it gets it. */
const listOmitted = (files: OmittedFiles | undefined): [name: string, value: string][] => {
  const { images, pdfs } = files ?? { images: 0, pdfs: 0 };
  const rows: [number, string, string][] = [
    [images, "No longer sent", images === 1 ? "1 image" : `${images} images`],
    [pdfs, "Only sent as text", pdfs === 1 ? "1 PDF" : `${pdfs} PDFs`],
  ];
  return rows.flatMap(([count, name, value]) => (count > 0 ? [[name, value]] : []));
};

const KIND_LABELS: readonly [kind: UsageKind, label: string][] = [
  ["turn", "Agent"],
  ["advisor", "Advisor"],
  ["title", "Titles"],
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

const Ring = ({ share }: { share: number }) => (
  <svg aria-hidden viewBox="0 0 18 18" className="size-4.5 shrink-0 -rotate-90">
    <circle cx="9" cy="9" r={RADIUS} fill="none" strokeWidth="2.5" className="stroke-border" />
    {share > 0 && (
      <circle
        cx="9"
        cy="9"
        r={RADIUS}
        fill="none"
        strokeWidth="2.5"
        strokeDasharray={`${Math.max(share, 0.02) * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
        className={clsx(
          share >= 0.95 ? "stroke-danger" : share >= 0.85 ? "stroke-warning" : "stroke-accent",
        )}
      />
    )}
  </svg>
);
