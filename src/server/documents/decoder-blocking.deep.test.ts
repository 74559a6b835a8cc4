import { expect, it } from "vitest";
import { createInterlacedPng } from "@/test/create-interlaced-png";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { HOSTILE_PAGES, HOSTILE_PDFS } from "@/test/hostile-documents";
import { toModelImage } from "@/server/tools/artifacts/model-image";
import { readHtml, readPdf } from "./read-document";

const { signal } = new AbortController();
const AT_ONCE = 8;

type Row = [what: string, decode: () => Promise<unknown>];

const pages = Object.entries(HOSTILE_PAGES).map<Row>(([what, create]) => {
  const bytes = Buffer.from(create());
  return [what, () => readHtml({ bytes, url: "https://a.example/", charset: undefined }, signal)];
});
const files = Object.entries(HOSTILE_PDFS).map<Row>(([what, create]) => {
  const bytes = create();
  return [what, () => readPdf(bytes, signal)];
});

const images = [5_150, 7_000].map<Row>((side) => {
  const bytes = createInterlacedPng(side, 8);
  return [`an interlaced image of ${side} pixels a side`, () => toModelImage(bytes)];
});

it.each<Row>([...images, ...pages, ...files])(
  "eight that are read at once block the server no longer than other work: %s",
  async (_, decode) => {
    const blocked = await measureBlocking(() =>
      Promise.allSettled(Array.from({ length: AT_ONCE }, decode)),
    );
    process.stdout.write(`blocked for ${blocked.toFixed(2)} of the reference\n`);
    expect(blocked).toBeLessThan(MAX_BLOCKING);
  },
);
