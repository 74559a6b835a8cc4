import { CopyButton } from "@/components/ui/copy-button";

export type NumberedLine = { number: number; text: string };

type NumberedLinesProps = {
  /** A short name of the lines, such as a path. */
  label: string;
  lines: readonly NumberedLine[];
};

/** Shows lines of a file with their numbers, in an area that scrolls; only the text is copied. */
export const NumberedLines = ({ label, lines }: NumberedLinesProps) => {
  const text = lines.map((line) => line.text).join("\n");
  return (
    <section translate="no" className="min-w-0 overflow-hidden rounded-md border bg-surface">
      <header className="flex min-h-8 items-center justify-between gap-2 border-b pr-1 pl-3">
        <p className="min-w-0 py-1 font-mono text-xs wrap-anywhere text-muted">{label}</p>
        <CopyButton label={`Copy ${label}`} text={text} />
      </header>
      <div
        role="group"
        aria-label={label}
        tabIndex={0}
        className="flex max-h-80 overflow-auto font-mono text-xs leading-5 -outline-offset-2"
      >
        {/* Two texts instead of two for each line: a file may have thousands of them. */}
        <pre className="sticky left-0 h-max shrink-0 bg-surface py-2 pr-3 pl-3 text-right text-muted select-none">
          {lines.map(({ number }) => number).join("\n")}
        </pre>
        <pre className="h-max py-2 pr-3">{text}</pre>
      </div>
    </section>
  );
};
