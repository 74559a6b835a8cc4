"use client";
import type { MathPlugin } from "@streamdown/math";
import { type ComponentProps, useDeferredValue, useEffect, useMemo, useState } from "react";
import {
  type Components,
  defaultRehypePlugins,
  parseMarkdownIntoBlocks,
  Streamdown,
} from "streamdown";
import { createBlockParser } from "./block-parser";
import { CodeBlock } from "./code-block";
import { importPart } from "./import-part";
import { addReadingHints } from "./markdown-hints";
import { normalizeMath } from "./normalize-math";
import { toSafeUrl } from "./safe-url";
import { useRevealedText } from "./use-revealed-text";

const SafeLink = ({ href, children }: ComponentProps<"a">) => {
  const url = toSafeUrl(href);
  if (url === undefined) return <span>{children}</span>;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {children}
    </a>
  );
};

/** Renders an image as a link: its URL could leak the conversation if the browser fetched it. */
const ImageLink = ({ src, alt }: ComponentProps<"img">) => (
  <SafeLink href={typeof src === "string" ? src : undefined}>{alt ?? "Image"}</SafeLink>
);

/** Scrolls, so that a narrow page does not break the words of its cells. */
const ScrollingTable = ({ dir, children }: ComponentProps<"table">) => (
  <div
    role="group"
    aria-label="Table"
    tabIndex={0}
    className="overflow-x-auto rounded-md border -outline-offset-2"
  >
    <table dir={dir}>{children}</table>
  </div>
);

const BASE_COMPONENTS = {
  a: SafeLink,
  img: ImageLink,
  table: ScrollingTable,
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
  code: CodeBlock,
};

/** The title of the page is the only heading of the first level. */
const TOP_LEVEL = 2;
const LEVELS = [1, 2, 3, 4, 5, 6];

/** By the level of the first heading: that becomes the top level, and deeper ones follow it. */
const COMPONENTS_BY_FIRST_LEVEL = LEVELS.map((first) => ({
  ...BASE_COMPONENTS,
  ...Object.fromEntries(
    LEVELS.map((level) => [
      `h${level}`,
      `h${Math.min(6, Math.max(TOP_LEVEL, level - first + TOP_LEVEL))}`,
    ]),
  ),
})) as Components[];

const CODE_FENCE = /^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/gm;

/** @returns the components for a text; the same while it grows. */
const findComponents = (text: string): Components | undefined => {
  const [, marks] = /^ {0,3}(#{1,6})\s/m.exec(text.replace(CODE_FENCE, "")) ?? [];
  return COMPONENTS_BY_FIRST_LEVEL[(marks?.length ?? 1) - 1];
};

/** Without the raw HTML plugin, tags are shown as text. */
const REHYPE_PLUGINS = [
  defaultRehypePlugins.sanitize,
  defaultRehypePlugins.harden,
  addReadingHints,
].filter((plugin) => plugin !== undefined);

type MarkdownRendererProps = { text: string; isStreaming: boolean };

const MarkdownRenderer = ({ text, isStreaming }: MarkdownRendererProps) => {
  // All blocks are rendered again when a text has ended, which may take its time.
  const isGrowing = useDeferredValue(isStreaming);
  const revealed = useRevealedText(text, isGrowing);
  const normalized = useMemo(() => normalizeMath(revealed), [revealed]);
  const math = useMathPlugin(normalized.includes("$$"));
  const plugins = useMemo(() => (math ? { math } : {}), [math]);
  const [parseGrowing] = useState(createBlockParser);
  return (
    <Streamdown
      isAnimating={isGrowing}
      parseIncompleteMarkdown={isGrowing}
      parseMarkdownIntoBlocksFn={isGrowing ? parseGrowing : parseMarkdownIntoBlocks}
      components={findComponents(text) ?? {}}
      rehypePlugins={REHYPE_PLUGINS}
      plugins={plugins}
      linkSafety={LINK_SAFETY}
    >
      {normalized}
    </Streamdown>
  );
};
export default MarkdownRenderer;

/** The links are made safe here. */
const LINK_SAFETY = { enabled: false };

let loadedMath: MathPlugin | undefined;

/** Loads the plugin for formulas when a text has one; until then the formula is shown as written. */
const useMathPlugin = (isNeeded: boolean): MathPlugin | undefined => {
  const [math, setMath] = useState(loadedMath);
  // Syncs with the module loader.
  useEffect(() => {
    if (!isNeeded || math) return undefined;
    let isMounted = true;
    importPart(() => import("@streamdown/math"))
      .then(({ createMathPlugin }) => {
        loadedMath ??= createMathPlugin();
        if (isMounted) setMath(loadedMath);
      })
      .catch(reportError);
    return () => {
      isMounted = false;
    };
  }, [isNeeded, math]);
  return math;
};
