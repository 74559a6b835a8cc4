"use client";
import type { ComponentProps } from "react";
import { type Components, defaultRehypePlugins, Streamdown } from "streamdown";
import { codeHighlighter } from "./code-highlighter";
import { toSafeUrl } from "./safe-url";

type MarkdownProps = {
  text: string;
  /** Whether more text follows; unfinished markdown is then rendered as if it were closed. */
  isStreaming: boolean;
};

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

/** Headings start at h3, below the headings of the page. */
const COMPONENTS = {
  a: SafeLink,
  img: ImageLink,
  h1: "h3",
  h2: "h4",
  h3: "h5",
  h4: "h6",
  h5: "h6",
} as Components;

/** Without the raw HTML plugin, tags are shown as text. */
const REHYPE_PLUGINS = [defaultRehypePlugins.sanitize, defaultRehypePlugins.harden].filter(
  (plugin) => plugin !== undefined,
);

const CONTROLS = { code: { copy: true, download: false }, table: false, mermaid: false } as const;

/** Renders untrusted markdown; raw HTML is shown as text. */
export const Markdown = ({ text, isStreaming }: MarkdownProps) => (
  <div className="markdown min-w-0">
    <Streamdown
      isAnimating={isStreaming}
      parseIncompleteMarkdown={isStreaming}
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
