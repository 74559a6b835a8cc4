"use client";
import type { ComponentProps } from "react";
import { type Components, defaultRehypePlugins, Streamdown } from "streamdown";
import { codeHighlighter } from "./code-highlighter";
import { safeUrl } from "./safe-url";

type MarkdownProps = {
  text: string;
  /** More text is coming: what is half written is shown as if it were closed. */
  streaming: boolean;
};

const Anchor = ({ href, children }: ComponentProps<"a">) => {
  const url = safeUrl(href);
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

/** Fetching a picture that a model names would tell its server what was said here, so it is a link. */
const Picture = ({ src, alt }: ComponentProps<"img">) => (
  <Anchor href={typeof src === "string" ? src : undefined}>{alt ?? "Image"}</Anchor>
);

/** A message's headings lie under the page's own. */
const COMPONENTS = {
  a: Anchor,
  img: Picture,
  h1: "h3",
  h2: "h4",
  h3: "h5",
  h4: "h6",
  h5: "h6",
} as Components;

/** Without the plugin that parses HTML, tags show as the text they are. */
const REHYPE_PLUGINS = [defaultRehypePlugins.sanitize, defaultRehypePlugins.harden].filter(
  (plugin) => plugin !== undefined,
);

const CONTROLS = { code: { copy: true, download: false }, table: false, mermaid: false } as const;

/** Text from a model, a tool or a person as safe markdown; raw HTML stays text. */
export const Markdown = ({ text, streaming }: MarkdownProps) => (
  <div className="markdown min-w-0">
    <Streamdown
      isAnimating={streaming}
      parseIncompleteMarkdown={streaming}
      components={COMPONENTS}
      rehypePlugins={REHYPE_PLUGINS}
      plugins={{ code: codeHighlighter }}
      controls={CONTROLS}
      linkSafety={{ enabled: false }}
      lineNumbers={false}
      codeBlockMaxHeight={0}
      tableMaxHeight={0}
    >
      {text}
    </Streamdown>
  </div>
);
