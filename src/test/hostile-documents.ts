import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";

/** @returns a text of so many characters, of what a function makes of 0, 1, 2 and so on. */
const fill = (length: number, create: (index: number) => string): string => {
  const parts: string[] = [];
  for (let rest = length, index = 0; rest > 0; index++) {
    const part = create(index);
    parts.push(part);
    rest -= part.length;
  }
  return parts.join("");
};

const toParagraph = (index: number): string =>
  `<p id="p${index}" class="text body">The <a href="/wiki/Tide_${index}" title="Tide ${index}">tide</a> is highest twice a day, about <b>six hours</b> after it was lowest, and sailors know it well<sup><a href="#cite-${index}">[${index}]</a></sup>.</p>\n`;

const MEGABYTE = 1_000_000;

/** An article with as many links as those of an encyclopedia. */
export const createArticle = (length: number): string =>
  `<!doctype html><title>Tides</title><article><h1>Tides</h1>${fill(length, toParagraph)}</article>`;

/** Pages of as many bytes as are read of one, made to take as much memory as they can. */
export const HOSTILE_PAGES: Record<string, () => string> = {
  "tags without text": () => "<b>x</b>".repeat(250_000),
  "elements that are nested": () => "<div>".repeat(400_000),
  attributes: () => `<p ${fill(2 * MEGABYTE, (index) => `a${index}=1 `)}>x`,
  "a table": () => `<table>${"<tr><td>1<td>2".repeat(140_000)}`,
  "an article": () => createArticle(2 * MEGABYTE),
  "one text": () => "word ".repeat(400_000),
  "what is moved out of a table": () => "<table><b><i>x".repeat(140_000),
};

/** Writes a PDF of objects, the first of which is its catalog and the second one its pages. */
const writePdf = (objects: readonly (string | Buffer)[]): Buffer => {
  const head = Buffer.from("%PDF-1.7\n");
  const bodies = objects.map((body, index) =>
    Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from("\nendobj\n"),
    ]),
  );
  let at = head.length;
  const entries = bodies.map(({ length }) => {
    const entry = `${String(at).padStart(10, "0")} 00000 n \n`;
    at += length;
    return entry;
  });
  const size = objects.length + 1;
  const tail = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`;
  return Buffer.concat([head, ...bodies, Buffer.from(tail)]);
};

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

const toStream = (dictionary: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from("\nendstream"),
  ]);
const pack = (content: string | Buffer): Buffer =>
  toStream("/Filter /FlateDecode", deflateSync(content));

/** @param more objects, the first of which has the number 4, and which a page names in its resources. */
const createPages = (
  contents: readonly Buffer[],
  { more = [], resources = "" }: { more?: (string | Buffer)[]; resources?: string } = {},
): Buffer => {
  const first = 4 + more.length;
  const kids = contents.map((_, index) => `${first + 2 * index} 0 R`);
  const pages = contents.flatMap((content, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + 2 * index + 1} 0 R /Resources << /Font << /F1 3 0 R >> ${resources} >> >>`,
    content,
  ]);
  const tree = `<< /Type /Pages /Count ${contents.length} /Kids [${kids.join(" ")}] >>`;
  return writePdf([CATALOG, tree, FONT, ...more, ...pages]);
};

const toLine = (index: number): string =>
  `(The tide number ${index} is high twice a day, and sailors know it well.) Tj 0 -14 Td `;
const toText = (text: string): string => `BT /F1 12 Tf 72 700 Td ${text} ET`;
const createBook = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, page) =>
    pack(toText(Array.from({ length: 45 }, (__, line) => toLine(45 * page + line)).join(""))),
  );

/** A report of 100 pages with a large image, which is as long as a file may be. */
export const createReport = (): Buffer => {
  const image = toStream(
    "/Type /XObject /Subtype /Image /Width 2300 /Height 2300 /BitsPerComponent 8 /ColorSpace /DeviceRGB",
    randomBytes(2_300 * 2_300 * 3),
  );
  return createPages(createBook(100), { more: [image], resources: "/XObject << /I 4 0 R >>" });
};
/** A book of 500 pages. */
export const createLongPdf = (): Buffer => createPages(createBook(500));

const blanks = (megabytes: number): Buffer => Buffer.alloc(megabytes * MEGABYTE, " ");
const createNumbers = (count: number): string => fill(count * 8, (index) => `${index} 0 `);

/** Documents that are made to take as much memory as they can. */
export const HOSTILE_PDFS: Record<string, () => Buffer> = {
  "a page that unpacks to 300 MB": () => createPages([pack(blanks(300))]),
  "a page that is packed twice": () =>
    createPages([
      toStream("/Filter [/FlateDecode /FlateDecode]", deflateSync(deflateSync(blanks(1_000)))),
    ]),
  "a page of repeated bytes": () =>
    createPages([
      toStream(
        "/Filter [/FlateDecode /RunLengthDecode]",
        deflateSync(Buffer.alloc(8 * MEGABYTE, Buffer.from([0x81, 0x20]))),
      ),
    ]),
  "a page of three million texts": () =>
    createPages([pack(toText("(x) Tj 0 -1 Td ".repeat(3_000_000)))]),
  "a million pages": () =>
    writePdf([
      CATALOG,
      `<< /Type /Pages /Count 1000000 /Kids [${"3 0 R ".repeat(1_000_000)}] >>`,
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1 1] >>",
    ]),
  "lists that are nested": () =>
    writePdf([CATALOG, `${"[".repeat(2 * MEGABYTE)}${"]".repeat(2 * MEGABYTE)}`]),
  "a dictionary of two million names": () =>
    writePdf([
      CATALOG,
      `<< /Type /Pages /Kids [] /Count 0 ${fill(15 * MEGABYTE, (index) => `/${index} 0 `)} >>`,
    ]),
  "an object stream of many objects": () => {
    const numbers = createNumbers(1_000_000);
    const stream = deflateSync(`${numbers}${" ".repeat(100)}`);
    const objects = toStream(
      `/Type /ObjStm /N 1000000 /First ${numbers.length} /Filter /FlateDecode`,
      stream,
    );
    return createPages([pack(toText("(x) Tj"))], {
      more: [objects],
      resources: "/XObject << /I 4 0 R >>",
    });
  },
  "a map of all codes of a font": () => {
    const ranges = fill(8 * MEGABYTE, () => "<0000> <FFFF> <0041>\n");
    const map = pack(
      `begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ${ranges.length / 21} beginbfrange ${ranges} endbfrange endcmap`,
    );
    const font =
      "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /A /Flags 4 >> >>] >>";
    const page =
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 6 0 R /Resources << /Font << /F1 3 0 R >> >> >>";
    return writePdf([
      CATALOG,
      "<< /Type /Pages /Count 1 /Kids [5 0 R] >>",
      font,
      map,
      page,
      pack(toText("<0001> Tj")),
    ]);
  },
};
