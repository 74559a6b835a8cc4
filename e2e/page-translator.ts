import type { Page } from "@playwright/test";

/** What a translation looks like here, around the text. */
export const OPENING = "‹";

/**
 * How a translator gives a text its own element: a new text takes its place, as in Chrome, or the text itself moves into
 * the element.
 */
export type TranslationKind = "replace" | "move";

/**
 * Translates a page as browsers and extensions do, from now on and with all texts that come later: without asking the
 * page, which still holds the texts that it wrote. Runs in the page, so it uses nothing from outside.
 */
export const translateTexts = ({ kind, opening }: { kind: TranslationKind; opening: string }) => {
  const UNTRANSLATED = "script, style, noscript, textarea, [translate=no]";
  const translateText = (text: Text): void => {
    const { data, parentElement } = text;
    if (data.trim() === "" || data.startsWith(opening)) return;
    if (!parentElement || parentElement.closest(UNTRANSLATED)) return;
    const translated = `${opening}${data}`;
    if (parentElement.closest("font")) {
      text.data = translated;
      return;
    }
    const outer = document.createElement("font");
    const inner = outer.appendChild(document.createElement("font"));
    text.replaceWith(outer);
    if (kind === "move") inner.append(text);
    else inner.append(translated);
    if (kind === "move") text.data = translated;
  };
  const translateAll = (): void => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    texts.forEach(translateText);
  };
  let timer: number | undefined;
  new MutationObserver(() => {
    timer ??= window.setTimeout(() => {
      timer = undefined;
      translateAll();
    });
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
  document.documentElement.classList.add("translated-ltr");
  document.documentElement.lang = "de";
  translateAll();
};

export const translatePage = (page: Page, kind: TranslationKind): Promise<void> =>
  page.evaluate(translateTexts, { kind, opening: OPENING });
