import { Fragment } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { useIsPrinting } from "@/components/ui/use-is-printing";

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
        {useIsPrinting() ? (
          <LinesOnPaper lines={lines} />
        ) : (
          <LinesOnScreen lines={lines} text={text} />
        )}
      </div>
    </section>
  );
};

const LinesOnScreen = ({ lines, text }: Pick<NumberedLinesProps, "lines"> & { text: string }) => (
  <>
    {/* Two texts instead of two for each line: a file may have thousands of them. */}
    <pre className="sticky left-0 h-max shrink-0 bg-surface py-2 pr-3 pl-3 text-right text-muted select-none">
      {lines.map(({ number }) => number).join("\n")}
    </pre>
    <pre className="h-max py-2 pr-3">{text}</pre>
  </>
);

/** Long lines wrap in print, so each line is in a row with its own number. */
const LinesOnPaper = ({ lines }: Pick<NumberedLinesProps, "lines">) => (
  <div className="grid w-full grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-3 py-2">
    {lines.map(({ number, text }) => (
      <Fragment key={number}>
        <span className="text-right text-muted">{number}</span>
        <pre>{text}</pre>
      </Fragment>
    ))}
  </div>
);
