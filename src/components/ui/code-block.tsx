"use client";
import { clsx } from "clsx";
import { WrapText } from "lucide-react";
import { type CSSProperties, Fragment, memo, useEffect, useState } from "react";
import { type CodeLines, type Token, toSlices } from "./code-lines";
import { CopyButton } from "./copy-button";
import { runInFrame } from "./frame-queue";
import { IconButton } from "./icon-button";
import { findHighlightedLines, requestHighlight } from "./request-highlight";

type CodeBlockProps = {
  code: string;
  /** Empty if it is not known. */
  language: string;
  /** Whether it is still being written. */
  isIncomplete: boolean;
};

/** A block of code, which highlights itself when it is finished. */
export const CodeBlock = ({ code, language, isIncomplete }: CodeBlockProps) => {
  const [isWrapped, setWrapped] = useState(false);
  const colored = useColors({ code, language, isIncomplete });
  const label = language === "" ? "Code" : `Code in ${language}`;
  return (
    <div data-code-block dir="ltr" className="min-w-0 overflow-hidden rounded-lg border">
      <div className="flex h-9 items-center justify-between gap-2 border-b bg-surface pr-1 pl-3">
        <span translate="no" className="truncate font-mono text-xs text-muted">
          {language}
        </span>
        <span className="flex gap-0.5">
          <IconButton
            size="sm"
            label="Wrap lines"
            aria-pressed={isWrapped}
            icon={<WrapText aria-hidden size={15} className={clsx(isWrapped && "text-accent")} />}
            onClick={() => setWrapped(!isWrapped)}
          />
          <CopyButton label="Copy code" text={code} />
        </span>
      </div>
      <pre
        translate="no"
        role="group"
        aria-label={label}
        tabIndex={0}
        className={clsx(
          "overflow-x-auto bg-raised px-3 py-3 font-mono text-[0.8125rem] leading-[1.55] -outline-offset-2",
          isWrapped ? "wrap-anywhere whitespace-pre-wrap" : "whitespace-pre",
        )}
      >
        <code>
          {colored
            ? colored.slices.map((lines, index) => (
                <Slice
                  key={index}
                  lines={lines}
                  isColored={index < colored.count}
                  isLast={index === colored.slices.length - 1}
                />
              ))
            : code}
        </code>
      </pre>
    </div>
  );
};

/** The slices of a block, of which the first `count` have their colors. */
type ColoredCode = { code: string; slices: readonly CodeLines[]; count: number };

/**
 * Returns the colored lines of a block when it is finished. An unfinished block stays plain, because its colors would
 * change with each token; a finished one gets them once, slice by slice.
 */
const useColors = ({ code, language, isIncomplete }: CodeBlockProps): ColoredCode | undefined => {
  const isColored = !isIncomplete && language !== "";
  // A block that returns to the page begins with its colors.
  const [colored, setColored] = useState<ColoredCode | undefined>(() => {
    const lines = isColored ? findHighlightedLines({ code, language }) : undefined;
    return lines && { code, slices: toSlices(lines), count: 1 };
  });
  // Syncs with the highlighter's thread, which loads the grammar of the language.
  useEffect(() => {
    if (!isColored) return undefined;
    let isMounted = true;
    let cancelFrame: (() => void) | undefined;
    const color = (slices: readonly CodeLines[], count: number): void => {
      if (!isMounted || count > slices.length) return;
      cancelFrame = runInFrame(() => {
        setColored({ code, slices, count });
        color(slices, count + 1);
      });
    };
    const known = findHighlightedLines({ code, language });
    if (known) color(toSlices(known), 1);
    else {
      requestHighlight({ code, language })
        .then((lines) => lines && color(toSlices(lines), 1))
        .catch(reportError);
    }
    return () => {
      isMounted = false;
      cancelFrame?.();
    };
  }, [isColored, code, language]);
  return isColored && colored?.code === code ? colored : undefined;
};

type SliceProps = { lines: CodeLines; isColored: boolean; isLast: boolean };

/** Memoized, so that each frame renders one slice. */
const Slice = memo(({ lines, isColored, isLast }: SliceProps) => {
  const toEnd = (index: number) => (isLast && index === lines.length - 1 ? "" : "\n");
  if (!isColored) {
    const text = lines.map(
      (line, index) => line.map((token) => token.text).join("") + toEnd(index),
    );
    return <span>{text.join("")}</span>;
  }
  return (
    <span>
      {lines.map((line, index) => (
        <Fragment key={index}>
          {line.map((token, position) => (
            <span
              key={position}
              style={toTokenStyle(token)}
              className="text-(--token) dark:text-(--token-dark)"
            >
              {token.text}
            </span>
          ))}
          {toEnd(index)}
        </Fragment>
      ))}
    </span>
  );
});
Slice.displayName = "Slice";

const toTokenStyle = ({ light, dark }: Token): CSSProperties => ({
  ["--token" as string]: light,
  ["--token-dark" as string]: dark,
});
