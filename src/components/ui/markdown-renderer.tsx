"use client";
import type { CjkPlugin } from "@streamdown/cjk";
import type { MathPlugin } from "@streamdown/math";
import {
  type ComponentProps,
  type ElementType,
  isValidElement,
  memo,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from "react";
import remend from "remend";
import { isFileUrl } from "@/lib/file-url";
import { BreakableText } from "./breakable-text";
import { FileImage } from "./file-image";
import { findHiddenTarget } from "./find-hidden-target";
import { importPart } from "@/lib/import-part";
import { toElements } from "./markdown-elements";
import type { TreeNode } from "./markdown-hints";
import { attachPlugin, createMarkdownParser } from "./markdown-parser";
import { toSafeTree } from "./safe-tree";
import { normalizeMath } from "./normalize-math";
import { toSafeUrl } from "./safe-url";
import { createBlockSplitter } from "./split-blocks";
import { chooseBlocks, type CostedBlock, PAGE_LIMITS, SERVER_LIMITS } from "./choose-blocks";
import { useRenderTurn } from "./use-render-turn";
import { useRevealedText } from "./use-revealed-text";

const SafeLink = ({ href, children }: ComponentProps<"a">) => {
  const url = toSafeUrl(href);
  if (url === undefined) return <span>{children}</span>;
  const target = findHiddenTarget(url, toText(children));
  const link = (
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
  if (target === undefined) return link;
  return (
    <>
      {link} <bdi className="text-xs break-all text-muted">({target})</bdi>
    </>
  );
};

/** @returns the text of a link, also that of what is emphasized in it. */
const toText = (node: ReactNode): string => {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map((child) => toText(child as ReactNode)).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? toText(node.props.children) : "";
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

/** Code in a sentence, which is not translated. */
const InlineCode = ({ children }: ComponentProps<"code">) => <code translate="no">{children}</code>;

const BASE_COMPONENTS = {
  a: SafeLink,
  img: MarkdownImage,
  table: ScrollingTable,
  code: InlineCode,
};

/** The title of the page is the only heading of the first level. */
const TOP_LEVEL = 2;
const LEVELS = [1, 2, 3, 4, 5, 6];

type Components = Readonly<Record<string, ElementType>>;

/** By the level of the first heading: that becomes the top level, and deeper ones follow it. */
const COMPONENTS_BY_FIRST_LEVEL = LEVELS.map((first): Components => ({
  ...BASE_COMPONENTS,
  ...Object.fromEntries(
    LEVELS.map((level) => [
      `h${level}`,
      `h${Math.min(6, Math.max(TOP_LEVEL, level - first + TOP_LEVEL))}`,
    ]),
  ),
}));

const CODE_FENCE = /^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/gm;

/** @returns the components for a text; the same while it grows. */
const findComponents = (text: string): Components => {
  const [, marks] = /^ {0,3}(#{1,6})\s/m.exec(text.replace(CODE_FENCE, "")) ?? [];
  return COMPONENTS_BY_FIRST_LEVEL[(marks?.length ?? 1) - 1] ?? BASE_COMPONENTS;
};

const hasOpenFence = (text: string): boolean => {
  let open = "";
  for (const [, marks = ""] of text.matchAll(/^[ \t]*(`{3,}|~{3,})/gm)) {
    if (open === "") open = marks;
    else if (marks.startsWith(open)) open = "";
  }
  return open !== "";
};

type MarkdownRendererProps = { text: string; isStreaming: boolean };

const isServer = typeof window === "undefined";

/** A longer text is parsed by the page only, in UTF-16 units: the server does nothing else while it splits one. */
const MAX_SERVED_LENGTH = 200_000;

const MarkdownRenderer = (props: MarkdownRendererProps) =>
  isServer && props.text.length > MAX_SERVED_LENGTH ? (
    <PlainBlock text={props.text} />
  ) : (
    <ParsedText {...props} />
  );
export default MarkdownRenderer;

const ParsedText = ({ text, isStreaming }: MarkdownRendererProps) => {
  // All blocks are rendered again when a text has ended, which may take its time.
  const isGrowing = useDeferredValue(isStreaming);
  const revealed = useRevealedText(text, isGrowing);
  const normalized = useMemo(() => normalizeMath(revealed.replace(/\r\n?/g, "\n")), [revealed]);
  const math = usePlugin("math", normalized.includes("$$"));
  const cjk = usePlugin("cjk", needsCjk(normalized));
  const toTree = useMemo(() => createConverter({ ...math, ...cjk }), [math, cjk]);
  const [split] = useState(createBlockSplitter);
  const blocks = useMemo(
    () => chooseBlocks(split(normalized), isServer ? SERVER_LIMITS : PAGE_LIMITS),
    [split, normalized],
  );
  const components = findComponents(text);
  return (
    <div>
      {blocks.map((block, index) => {
        if (block.cost === Infinity) return <PlainBlock key={index} text={block.text} />;
        const isLast = isGrowing && index === blocks.length - 1;
        return (
          <Block
            key={index}
            block={block}
            toTree={toTree}
            components={components}
            isGrowing={isLast}
            isIncomplete={isLast && hasOpenFence(block.text)}
          />
        );
      })}
    </div>
  );
};

type Plugins = { math?: MathPlugin; cjk?: CjkPlugin };
type Converter = ReturnType<typeof createConverter>;

/** Creates what converts a block to the tree of its elements. */
const createConverter = ({ math, cjk }: Plugins) => {
  const parse = createMarkdownParser({
    before: cjk?.remarkPluginsBefore ?? [],
    after: [...(cjk?.remarkPluginsAfter ?? []), ...(math ? [math.remarkPlugin] : [])],
  });
  const drawFormulas = math && attachPlugin<TreeNode>(math.rehypePlugin);
  return (text: string): TreeNode => {
    const tree = toSafeTree(parse(text));
    drawFormulas?.(tree);
    return tree;
  };
};

type BlockProps = {
  block: CostedBlock;
  toTree: Converter;
  components: Components;
  /** Whether more of it may follow, so that marks are closed that are still open. */
  isGrowing: boolean;
  /** Whether its last code is still being written. */
  isIncomplete: boolean;
};

const ParsedBlock = ({ block, toTree, components, isGrowing, isIncomplete }: BlockProps) => {
  useRenderTurn(block);
  const { text } = block;
  return (
    <>
      {toElements(toTree(isGrowing ? remend(text) : text), { components, isIncomplete })}
      {"\n"}
    </>
  );
};

/** Memoized by the text, so that only the block that grows is parsed again. */
const Block = memo(
  ParsedBlock,
  (before, after) =>
    before.block.text === after.block.text &&
    before.toTree === after.toTree &&
    before.components === after.components &&
    before.isGrowing === after.isGrowing &&
    before.isIncomplete === after.isIncomplete,
);

const PlainBlock = ({ text }: { text: string }) => (
  <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
    <BreakableText text={text.trimEnd()} />
  </p>
);

/** Chinese, Japanese and Korean have no spaces by which the marks of emphasis and the ends of links are told. */
const needsCjk = (text: string): boolean => CJK.test(text) && MARKS.test(text);
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const MARKS = /[*~]|https?:/;

/** Plugins that few texts need, by their names. */
const PLUGINS = {
  math: async (): Promise<Plugins> => {
    const { math } = await importPart(() => import("@streamdown/math"));
    return { math };
  },
  cjk: async (): Promise<Plugins> => {
    const { cjk } = await importPart(() => import("@streamdown/cjk"));
    return { cjk };
  },
};

const loaded = new Map<keyof typeof PLUGINS, Plugins>();

/** Loads a plugin when a text needs it; until then what it is for is shown as written. */
const usePlugin = (name: keyof typeof PLUGINS, isNeeded: boolean): Plugins | undefined => {
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
