import type { Page } from "@playwright/test";

/** Limit of the sum of all layout shifts of a load; 0.1 counts as good for a whole page. */
export const MAX_LAYOUT_SHIFT = 0.02;

/** What a page has painted and moved since its first byte. */
export type LoadRecord = { paintMs: number; shift: number; sources: string[] };

/** Records the loads of a page from its first byte on. */
export const recordLoads = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Attribution = { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
    type Shift = PerformanceEntry & { value: number; sources: Attribution[] };
    const load: LoadRecord = { paintMs: 0, shift: 0, sources: [] };
    Object.assign(window, { load });
    const toText = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].join(" ");
    new PerformanceObserver((list) => {
      load.paintMs = list.getEntries().at(-1)?.startTime ?? load.paintMs;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as Shift[]) {
        load.shift += value;
        for (const { node, previousRect, currentRect } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          const rects = `${toText(previousRect)} -> ${toText(currentRect)}`;
          const start = `${value.toFixed(4)} at ${Math.round(startTime)} ms`;
          load.sources.push(`${start}: ${rects} ${element?.outerHTML.slice(0, 120) ?? "?"}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** @returns the record of the page that is open. */
export const readLoad = (page: Page): Promise<LoadRecord> =>
  page.evaluate(() => (window as unknown as { load: LoadRecord }).load);
