import { ExternalLink } from "lucide-react";
import { toTarget } from "@/components/ui/find-hidden-target";
import { toSafeUrl } from "@/components/ui/safe-url";
import type { SourcePart } from "@/contract/part";

/** The web pages that an answer cites. */
const Sources = ({ sources }: { sources: readonly SourcePart[] }) => (
  <section aria-label="Sources" className="flex flex-col gap-1.5">
    <p className="text-xs font-medium text-muted">Sources</p>
    <ol className="flex flex-wrap gap-1.5">
      {sources.map((source, index) => (
        <li key={`${index} ${source.url}`} className="max-w-full">
          <Source source={source} />
        </li>
      ))}
    </ol>
  </section>
);

const Source = ({ source: { url, title } }: { source: SourcePart }) => {
  const href = toSafeUrl(url);
  // Never cut: the end of a host says whose it is. By itself, so that a title cannot turn its letters round.
  const site = <bdi className="min-w-0 break-all">{toTarget(url)}</bdi>;
  const text =
    title === undefined ? site : <bdi className="min-w-12 shrink-[999] truncate">{title}</bdi>;
  const className = "flex max-w-72 items-center gap-1.5 rounded-md border px-2 py-1 text-xs";
  if (href === undefined) return <span className={className}>{text}</span>;
  return (
    <a
      href={href}
      data-print-url={href}
      target="_blank"
      rel="noopener noreferrer"
      className={`${className} hover:bg-hover`}
    >
      {text}
      {title !== undefined && <span className="min-w-0 text-muted">{site}</span>}
      <ExternalLink aria-hidden size={12} className="shrink-0 text-muted" />
    </a>
  );
};

export default Sources;
