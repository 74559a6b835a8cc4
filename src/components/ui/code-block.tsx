"use client";
import { clsx } from "clsx";
import { WrapText } from "lucide-react";
import {
  type ComponentProps,
  type CSSProperties,
  isValidElement,
  type ReactNode,
  useEffect,
  useState,
} from "react";
import { useIsCodeFenceIncomplete } from "streamdown";
import type * as Highlighter from "./code-highlighter";
import type { CodeLines, Token } from "./code-highlighter";
import { CopyButton } from "./copy-button";
import { IconButton } from "./icon-button";

type CodeProps = ComponentProps<"code"> & { "data-block"?: string };

/** The code of markdown: in a sentence, or a block that highlights itself when it is finished. */
export const CodeBlock = ({ className, children, "data-block": block }: CodeProps) => {
  const isIncomplete = useIsCodeFenceIncomplete();
  const code = toCode(children);
  if (block === undefined) return <code>{children}</code>;
  const language = /language-(\S+)/.exec(className ?? "")?.[1] ?? "";
  return <Block code={code.replace(/\n$/, "")} language={language} isIncomplete={isIncomplete} />;
};

const toCode = (children: ReactNode): string => {
  if (typeof children === "string") return children;
  if (Array.isArray(children)) return children.map(toCode).join("");
  return isValidElement<{ children?: ReactNode }>(children) ? toCode(children.props.children) : "";
};

type BlockProps = { code: string; language: string; isIncomplete: boolean };

const Block = ({ code, language, isIncomplete }: BlockProps) => {
  const [isWrapped, setWrapped] = useState(false);
  const lines = useTokens({ code, language, isIncomplete });
  const label = language === "" ? "Code" : `Code in ${language}`;
  return (
    <div data-code-block dir="ltr" className="min-w-0 overflow-hidden rounded-lg border">
      <div className="flex h-9 items-center justify-between gap-2 border-b bg-surface pr-1 pl-3">
        <span className="truncate font-mono text-xs text-muted">{language}</span>
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
        role="group"
        aria-label={label}
        tabIndex={0}
        className={clsx(
          "overflow-x-auto bg-raised px-3.5 py-3 font-mono text-[0.8125rem] leading-[1.55] -outline-offset-2",
          isWrapped ? "wrap-anywhere whitespace-pre-wrap" : "whitespace-pre",
        )}
      >
        <code>{lines ? <Tokens lines={lines} /> : code}</code>
      </pre>
    </div>
  );
};

type ColoredCode = { code: string; lines: CodeLines };

let highlighter: typeof Highlighter | undefined;

/** Loads the highlighter with the first finished block. */
const loadHighlighter = async (): Promise<typeof Highlighter> =>
  (highlighter ??= await import("./code-highlighter"));

/**
 * Returns the colored lines of a block when it is finished. An unfinished block stays plain, because its colors would
 * change with each token; a finished one gets them once.
 */
const useTokens = ({ code, language, isIncomplete }: BlockProps): CodeLines | undefined => {
  const isColored = !isIncomplete && language !== "";
  // A block that returns to the page has its colors at once.
  const [colored, setColored] = useState<ColoredCode | undefined>(() => {
    const lines = isColored ? highlighter?.findHighlightedLines({ code, language }) : undefined;
    return lines && { code, lines };
  });
  const hasColors = colored?.code === code;
  // Syncs with the highlighter, which loads itself and the grammar of the language.
  useEffect(() => {
    if (!isColored || hasColors) return undefined;
    let isMounted = true;
    loadHighlighter()
      .then(({ highlightCode }) => highlightCode({ code, language }))
      .then((lines) => isMounted && lines && setColored({ code, lines }))
      .catch(reportError);
    return () => {
      isMounted = false;
    };
  }, [isColored, hasColors, code, language]);
  return isColored && hasColors ? colored.lines : undefined;
};

const Tokens = ({ lines }: { lines: CodeLines }) =>
  lines.map((line, index) => (
    <span key={index}>
      {line.map((token, position) => (
        <span
          key={position}
          style={toTokenStyle(token)}
          className="text-(--token) dark:text-(--token-dark)"
        >
          {token.text}
        </span>
      ))}
      {index < lines.length - 1 && "\n"}
    </span>
  ));

const toTokenStyle = ({ light, dark }: Token): CSSProperties => ({
  ["--token" as string]: light,
  ["--token-dark" as string]: dark,
});
