"use client";
import { BreakableText } from "./breakable-text";
import { lazyParts } from "./lazy-parts";
import { loadMarkdown, loadMarkdownInParts } from "./load-markdown";
import { needsMarkdown } from "./needs-markdown";
import { usePacedText } from "./use-paced-text";

type MarkdownProps = {
  text: string;
  /** Whether more text follows; unfinished markdown is then rendered as if it were closed. */
  isStreaming: boolean;
};

const MarkdownRenderer = lazyParts(loadMarkdown, loadMarkdownInParts);

/** Renders untrusted markdown; raw HTML is shown as text. Without markup it needs no renderer. */
export const Markdown = ({ text, isStreaming }: MarkdownProps) => {
  const shown = usePacedText(text, isStreaming);
  return needsMarkdown(shown) ? (
    <MarkdownRenderer
      className="markdown min-w-0"
      fallback={<Paragraphs text={shown} hasMarkup />}
      text={shown}
      isStreaming={isStreaming}
    />
  ) : (
    <div className="markdown min-w-0">
      <Paragraphs text={shown} />
    </div>
  );
};

type ParagraphsProps = {
  text: string;
  /** Lines are then kept, as those of lists and code take about the same space when they are rendered. */
  hasMarkup?: boolean;
};

const Paragraphs = ({ text, hasMarkup = false }: ParagraphsProps) => (
  <div className={hasMarkup ? "whitespace-pre-wrap" : undefined}>
    {text.split(/\n(?:[ \t]*\n)+/).map((paragraph, index) => (
      <p key={index} dir="auto">
        <BreakableText text={paragraph} />
      </p>
    ))}
  </div>
);
