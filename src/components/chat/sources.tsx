import { ExternalLink } from "lucide-react";
import { toSafeUrl } from "@/components/ui/safe-url";
import type { SourcePart } from "@/contract/part";

/** The pages that an answer rests on. */
export const Sources = ({ sources }: { sources: readonly SourcePart[] }) => (
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
  const text = <span className="truncate">{title ?? host(url)}</span>;
  const look = "flex max-w-72 items-center gap-1.5 rounded-md border px-2 py-1 text-xs";
  if (href === undefined) return <span className={look}>{text}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={`${look} hover:bg-hover`}>
      {text}
      {title !== undefined && <span className="truncate text-muted">{host(url)}</span>}
      <ExternalLink aria-hidden size={12} className="shrink-0 text-muted" />
    </a>
  );
};

const host = (url: string): string => {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    // A model's address may be no address; it is shown as written.
    return url;
  }
};
