import { Download } from "lucide-react";
import { BreakableText } from "@/components/ui/breakable-text";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { toFileUrl } from "@/lib/file-url";
import type { Artifact } from "@/contract/part";
import { formatBytes } from "@/lib/format";
import { type HeadAndTail, splitHeadAndTail } from "./head-and-tail";

type TextBlockProps = {
  /** A short name of the text, such as "Output". */
  label: string;
  text: string;
  /** The name of the downloaded file, when the text is too long to show. */
  fileName: string;
  /** The file with the whole text, when the text was cut already. */
  whole?: Artifact | undefined;
};

/** Shows preformatted text in an area that scrolls; of a very long text, only both ends. */
export const TextBlock = ({ label, text, fileName, whole }: TextBlockProps) => {
  const cut = splitHeadAndTail(text);
  return (
    <section className="min-w-0 overflow-hidden rounded-md border bg-surface">
      <header className="flex min-h-8 items-center justify-between gap-2 border-b pr-1 pl-3">
        <p className="min-w-0 py-1 text-xs break-words text-muted">{label}</p>
        <CopyButton label={`Copy ${label.toLowerCase()}`} text={text} />
      </header>
      {whole !== undefined && <WholeLink label={label} whole={whole} />}
      {cut === undefined ? (
        <Lines label={label} text={text} />
      ) : (
        <CutLines
          label={label}
          cut={cut}
          {...(whole === undefined && { onDownload: () => downloadText(text, fileName) })}
        />
      )}
    </section>
  );
};

const WholeLink = ({ label, whole }: { label: string; whole: Artifact }) => (
  <p className="border-b bg-raised px-3 py-1.5 text-xs text-muted">
    A part of this was left out.{" "}
    <a href={toFileUrl(whole.id)} download={whole.name} className="text-accent underline">
      Download the whole {label.toLowerCase()} ({formatBytes(whole.size)})
    </a>
  </p>
);

const Lines = ({ label, text }: { label: string; text: string }) => (
  <pre
    translate="no"
    role="group"
    aria-label={label}
    tabIndex={0}
    className="max-h-80 overflow-auto px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap -outline-offset-2"
  >
    <BreakableText text={text} />
  </pre>
);

type CutLinesProps = {
  label: string;
  cut: HeadAndTail;
  /** Undefined where a link leads to the whole already. */
  onDownload?: () => void;
};

const CutLines = ({ label, cut, onDownload }: CutLinesProps) => (
  <>
    <Lines label={`${label}, start`} text={cut.head} />
    <div className="flex flex-wrap items-center justify-between gap-2 border-y bg-raised px-3 py-1.5 text-xs text-muted">
      <p>{formatBytes(cut.omittedBytes)} left out here</p>
      {onDownload && (
        <Button size="sm" icon={<Download aria-hidden size={14} />} onClick={onDownload}>
          Download all {formatBytes(cut.totalBytes)}
        </Button>
      )}
    </div>
    <Lines label={`${label}, end`} text={cut.tail} />
  </>
);

/** Downloads text as a file. */
const downloadText = (text: string, fileName: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = fileName;
  anchor.click();
  URL.revokeObjectURL(url);
};
