import { getDocumentProxy } from "unpdf";
import { runThread } from "./run-thread";

/** A PDF can be small and have text without end. In UTF-16 units: some 1,000 full pages. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** Pages that were read until then are better than none: before the time of the thread is over. */
const MAX_READ_MS = 7_000;

/** What pdf.js lacks when it asks for a file: the package comes without character maps, which are 1.5 MB. */
const createMissingFiles = () => {
  const missing = { characterMaps: false };
  class BinaryDataFactory {
    fetch({ kind }: { kind: string }): Promise<Uint8Array> {
      missing.characterMaps ||= kind === "cMapUrl";
      return Promise.reject(new Error("the file is not in the package"));
    }
  }
  return { missing, BinaryDataFactory };
};

const MAPS_ARE_MISSING =
  "its text is in a font that needs a character map, as some Chinese, Japanese and Korean documents do, and this server has none";

/** The program of a worker thread that reads the text of a PDF; `read-document.ts` starts and stops it. */
runThread(async (bytes: Uint8Array) => {
  const { missing, BinaryDataFactory } = createMissingFiles();
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, BinaryDataFactory });
  const { text, isWhole } = await readPages(pdf);
  const needsMaps = missing.characterMaps;
  if (text === "" && needsMaps) throw new Error(MAPS_ARE_MISSING);
  const notes = [
    ...(text !== "" && !isWhole ? ["--- The rest of the document is left out ---"] : []),
    ...(needsMaps ? [`--- A part of the text is left out: ${MAPS_ARE_MISSING} ---`] : []),
  ];
  const { info } = await pdf.getMetadata();
  const title = "Title" in info && typeof info.Title === "string" ? info.Title.trim() : "";
  return { title, text: [text, ...notes].join("\n\n").trim() };
});

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** @returns the text of the pages, which is empty for scanned ones, and whether it is that of all pages. */
const readPages = async (pdf: Pdf): Promise<{ text: string; isWhole: boolean }> => {
  let text = "";
  let hasText = false;
  let page = 1;
  const endAt = performance.now() + MAX_READ_MS;
  const isOver = (): boolean => text.length > MAX_TEXT_LENGTH || performance.now() > endAt;
  for (; page <= pdf.numPages && !isOver(); page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    const lines = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""));
    const mark = pdf.numPages > 1 ? `--- Page ${page} of ${pdf.numPages} ---\n` : "";
    const pageText = lines.join("").trim();
    hasText ||= pageText !== "";
    text += `${page === 1 ? "" : "\n\n"}${mark}${pageText}`;
  }
  const isWhole = page > pdf.numPages && !isOver();
  return { text: hasText ? text.slice(0, MAX_TEXT_LENGTH) : "", isWhole };
};
