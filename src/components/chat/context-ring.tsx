import { clsx } from "clsx";
import { ImageOff } from "lucide-react";
import { lazyParts } from "@/components/ui/lazy-parts";
import { Popover } from "@/components/ui/popover";
import type { Chat } from "@/contract/chat";
import type { OmittedFiles } from "@/contract/usage";
import { formatTokens } from "@/lib/format";

const ContextDetails = lazyParts(() => import("./context-details"));

type ContextRingProps = Pick<Chat, "context" | "usage"> & {
  /** What the last request had no room for. */
  omittedFiles?: OmittedFiles | undefined;
  /** Sums up what came before; absent while the chat is busy or archived. */
  onCompact?: (() => void) | undefined;
};

const RADIUS = 7;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** From this share on, the ring says in words what it shows. */
const NOTABLE_SHARE = 0.75;

/**
 * A ring that shows how full the model's context is and opens token counts and cost. Nothing where the limit is unknown, as
 * there is nothing to compare with, unless files are no longer sent.
 */
export const ContextRing = ({ context, usage, omittedFiles, onCompact }: ContextRingProps) => {
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
      <ContextDetails
        fallback={<div className="h-20" />}
        used={[formatTokens(context.used_tokens), capacity?.limit ?? []].flat().join(" / ")}
        usage={usage}
        omitted={omitted}
        onCompact={onCompact}
      />
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
