import { clsx } from "clsx";
import { BreakableText } from "@/components/ui/breakable-text";
import { CopyButton } from "@/components/ui/copy-button";
import { useFollowEnd } from "@/components/ui/use-follow-end";
import { formatBytes } from "@/lib/format";
import { AnsiText } from "./ansi-text";
import { splitHeadAndTail } from "./head-and-tail";
import { toPlainText } from "./printable-text";

type TerminalOutputProps = {
  /** What ran, or what was sent. */
  command: string | undefined;
  text: string;
  /** The screen of a terminal, whose lines do not wrap. */
  isScreen: boolean;
  /** More follows; the end stays visible while the reader is there. */
  isLive: boolean;
};

/** Shows a command and its output as a terminal does; of a very long output, both ends. */
export const TerminalOutput = ({ command, text, isScreen, isLive }: TerminalOutputProps) => {
  const cut = splitHeadAndTail(text);
  const pieces = cut ? [cut.head, cut.tail] : [text];
  return (
    <section
      data-terminal
      className="min-w-0 overflow-hidden rounded-md border border-[#2a3030] bg-[#111414] text-[#e7ebea]"
    >
      <header className="flex min-h-8 items-start justify-between gap-2 border-b border-[#2a3030] pr-1 pl-3">
        <p
          translate="no"
          role="group"
          aria-label="Command"
          tabIndex={0}
          className="max-h-24 min-w-0 overflow-y-auto py-1.5 font-mono text-xs wrap-anywhere whitespace-pre-wrap -outline-offset-2"
        >
          <span aria-hidden className="text-[#6fc691] select-none">
            ${" "}
          </span>
          <BreakableText text={command ?? ""} />
        </p>
        <span data-theme="dark" className="shrink-0">
          <CopyButton label="Copy output" text={toPlainText(text)} />
        </span>
      </header>
      {isLive ? (
        <LiveLines text={text} isScreen={isScreen} />
      ) : (
        pieces.map((piece, index) => (
          <div key={index}>
            {cut && index > 0 && (
              <p className="border-y border-[#2a3030] px-3 py-1 text-xs text-[#9ba7a5]">
                {formatBytes(cut.omittedBytes)} left out here
              </p>
            )}
            <div role="group" aria-label="Output" tabIndex={0} className={LINES}>
              <Lines text={piece} isScreen={isScreen} />
            </div>
          </div>
        ))
      )}
    </section>
  );
};

const LINES = "max-h-80 overflow-auto px-3 py-2 -outline-offset-2";

/** Longest text that is drawn anew many times a second, in UTF-16 units. */
const MAX_LIVE_LENGTH = 16 * 1024;

const LiveLines = ({ text, isScreen }: { text: string; isScreen: boolean }) => {
  const { scrollRef, contentRef } = useFollowEnd();
  return (
    <div ref={scrollRef} role="group" aria-label="Output so far" tabIndex={0} className={LINES}>
      <div ref={contentRef}>
        <Lines text={text.slice(-MAX_LIVE_LENGTH)} isScreen={isScreen} />
      </div>
    </div>
  );
};

const Lines = ({ text, isScreen }: { text: string; isScreen: boolean }) => (
  <pre
    translate="no"
    className={clsx(
      "font-mono text-xs leading-5",
      isScreen ? "w-max min-w-full whitespace-pre" : "wrap-anywhere whitespace-pre-wrap",
    )}
  >
    {text === "" ? (
      <span className="text-[#9ba7a5] italic">no output</span>
    ) : (
      <AnsiText text={text} />
    )}
  </pre>
);
