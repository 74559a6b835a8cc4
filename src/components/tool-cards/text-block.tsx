import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes } from "@/lib/format";
import { downloadText } from "./download-text";
import { type HeadAndTail, headAndTail } from "./head-and-tail";

type TextBlockProps = {
  /** What the text is, in a word or two: "Output". */
  label: string;
  text: string;
  /** The file's name when the whole is too long to be shown. */
  fileName: string;
};

/** Text of a machine as it is, in one place that scrolls; only the ends of what is very long. */
export const TextBlock = ({ label, text, fileName }: TextBlockProps) => {
  const cut = headAndTail(text);
  return (
    <section className="min-w-0 overflow-hidden rounded-md border bg-surface">
      <header className="flex min-h-8 items-center justify-between gap-2 border-b pr-1 pl-3">
        <p className="min-w-0 py-1 text-xs break-words text-muted">{label}</p>
        <CopyButton label={`Copy ${label.toLowerCase()}`} text={text} />
      </header>
      {cut === undefined ? (
        <Lines label={label} text={text} />
      ) : (
        <CutLines label={label} cut={cut} onDownload={() => downloadText(text, fileName)} />
      )}
    </section>
  );
};

const Lines = ({ label, text }: { label: string; text: string }) => (
  <pre
    role="group"
    aria-label={label}
    tabIndex={0}
    className="max-h-80 overflow-auto px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap -outline-offset-2"
  >
    {text}
  </pre>
);

type CutLinesProps = { label: string; cut: HeadAndTail; onDownload: () => void };

const CutLines = ({ label, cut, onDownload }: CutLinesProps) => (
  <>
    <Lines label={`${label}, start`} text={cut.head} />
    <div className="flex flex-wrap items-center justify-between gap-2 border-y bg-raised px-3 py-1.5 text-xs text-muted">
      <p>{formatBytes(cut.omittedBytes)} left out here</p>
      <Button size="sm" icon={<Download aria-hidden size={14} />} onClick={onDownload}>
        Download all {formatBytes(cut.totalBytes)}
      </Button>
    </div>
    <Lines label={`${label}, end`} text={cut.tail} />
  </>
);
