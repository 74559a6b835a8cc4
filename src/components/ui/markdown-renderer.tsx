"use client";
import { type ComponentProps, useDeferredValue, useEffect, useMemo, useState } from "react";
import {
  type Components,
  defaultRehypePlugins,
  defaultRemarkPlugins,
  parseMarkdownIntoBlocks,
  type PluginConfig,
  Streamdown,
} from "streamdown";
import { isFileUrl } from "@/lib/file-url";
import { createBlockParser } from "./block-parser";
import { CodeBlock } from "./code-block";
import { FileImage } from "./file-image";
import { importPart } from "./import-part";
import { addLineBreaks } from "./line-breaks";
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
      // Paper shows the address that a text stands for.
      data-print-url={children === url ? undefined : url}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {children}
    </a>
  );
};

/**
 * Shows an image that is a file of a chat, such as one that the model has made. Any other becomes a link: its URL could leak
 * the conversation if the browser fetched it.
 */
const MarkdownImage = ({ src, alt = "Image" }: ComponentProps<"img">) => {
  const url = typeof src === "string" ? src : undefined;
  if (url !== undefined && isFileUrl(url)) return <FileImage url={url} name={alt} />;
  return <SafeLink href={url}>{alt}</SafeLink>;
};

/** Scrolls, so that a narrow page does not break the words of its cells. */
const ScrollingTable = ({ dir, children }: ComponentProps<"table">) => (
  <div
    data-table
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
  img: MarkdownImage,
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

const REMARK_PLUGINS = [...Object.values(defaultRemarkPlugins), addLineBreaks];

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
  const math = usePlugin("math", normalized.includes("$$"));
  const cjk = usePlugin("cjk", needsCjk(normalized));
  const plugins = useMemo(() => ({ ...math, ...cjk }), [math, cjk]);
  const [parseGrowing] = useState(createBlockParser);
  return (
    <Streamdown
      isAnimating={isGrowing}
      parseIncompleteMarkdown={isGrowing}
      parseMarkdownIntoBlocksFn={isGrowing ? parseGrowing : parseMarkdownIntoBlocks}
      components={findComponents(text) ?? {}}
      remarkPlugins={REMARK_PLUGINS}
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

/** Chinese, Japanese and Korean have no spaces by which the marks of emphasis and the ends of links are told. */
const needsCjk = (text: string): boolean => CJK.test(text) && MARKS.test(text);
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const MARKS = /[*~]|https?:/;

/** Plugins that few texts need, by their names. */
const PLUGINS = {
  math: async (): Promise<PluginConfig> => {
    const { createMathPlugin } = await importPart(() => import("@streamdown/math"));
    return { math: createMathPlugin() };
  },
  cjk: async (): Promise<PluginConfig> => {
    const { cjk } = await importPart(() => import("@streamdown/cjk"));
    return { cjk };
  },
};

const loaded = new Map<keyof typeof PLUGINS, PluginConfig>();

/** Loads a plugin when a text needs it; until then what it is for is shown as written. */
const usePlugin = (name: keyof typeof PLUGINS, isNeeded: boolean): PluginConfig | undefined => {
  const [plugin, setPlugin] = useState(loaded.get(name));
  // Syncs with the module loader.
  useEffect(() => {
    if (!isNeeded || plugin) return undefined;
    let isMounted = true;
    PLUGINS[name]()
      .then((config) => {
        const known = loaded.get(name) ?? config;
        loaded.set(name, known);
        if (isMounted) setPlugin(known);
      })
      .catch(reportError);
    return () => {
      isMounted = false;
    };
  }, [name, isNeeded, plugin]);
  return plugin;
};
