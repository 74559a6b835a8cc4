import { isUtf8 } from "node:buffer";
import { Readability, isProbablyReaderable } from "@mozilla/readability";
import { gfm } from "@joplin/turndown-plugin-gfm";
import { JSDOM, VirtualConsole } from "jsdom";
import TurndownService from "turndown";
import { runThread } from "./run-thread";
import type { HtmlInput } from "./read-document";

/** Elements whose text is not for readers. */
const UNREADABLE =
  "script, style, noscript, template, iframe, object, embed, canvas, svg, form, [hidden], [aria-hidden=true]";
/** Elements around the content of a page. */
const SURROUNDINGS = "nav, header, footer, aside";

/** The program of a worker thread that turns a page into markdown; `read-document.ts` starts and stops it. */
runThread((page: HtmlInput) => {
  const document = parse(page);
  const title = document.title.trim();
  // Readability changes the document, of which a copy would take as much memory again.
  const content = findArticle(document) ?? findContent(parse(page));
  return { title, text: toMarkdown(content) };
});

/** Scripts are not run and nothing is loaded: both are off unless asked for. */
const parse = ({ bytes, url, charset = guessCharset(bytes) }: HtmlInput): Document => {
  const { window } = new JSDOM(Buffer.from(bytes), {
    url,
    contentType: charset === undefined ? "text/html" : `text/html; charset=${charset}`,
    virtualConsole: new VirtualConsole(),
  });
  resolveLinks(window.document);
  return window.document;
};

/** Bytes in which a page must declare its charset. */
const DECLARATION_BYTES = 1_024;

/** Many pages are UTF-8 and do not say so, but the standard reads those as Windows-1252. */
const guessCharset = (bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString("latin1");
  if (/<meta[^>]+charset/i.test(start)) return undefined;
  // The last character may have been cut.
  return isUtf8(bytes.subarray(0, findLastStart(bytes))) ? "utf-8" : undefined;
};

/** @returns where the last character begins, if the bytes are UTF-8. */
const findLastStart = (bytes: Uint8Array): number =>
  bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80);

/** @returns undefined for a page that is no article, such as a list of links. */
const findArticle = (document: Document): Node | undefined => {
  if (!isProbablyReaderable(document)) return undefined;
  const article = new Readability<Node>(document, {
    serializer: (node) => node,
    // The language of code is a class.
    keepClasses: true,
  }).parse();
  return article?.content ?? undefined;
};

const findContent = (document: Document): Node => {
  document.querySelectorAll(UNREADABLE).forEach((element) => element.remove());
  const main = document.querySelector("main, [role=main]");
  if (main?.textContent.trim()) return main;
  document.body.querySelectorAll(SURROUNDINGS).forEach((element) => element.remove());
  return document.body;
};

/** Makes links absolute, and removes those that lead nowhere, such as scripts and data. */
const resolveLinks = (document: Document): void => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    if (/^(?:https?|mailto):/.test(link.href)) link.setAttribute("href", link.href);
    else link.removeAttribute("href");
  }
  for (const image of document.querySelectorAll<HTMLImageElement>("img")) {
    if (/^https?:/.test(image.src)) image.setAttribute("src", image.src);
    else image.remove();
  }
};

const toMarkdown = (content: Node): string => {
  // Turndown copies what it reads, which nothing else reads here.
  content.cloneNode = () => content;
  return new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  })
    .use(gfm)
    .turndown(content as HTMLElement)
    .trim();
};
