import { deflateSync } from "node:zlib";

type PdfContent = {
  title?: string;
  /** One line of ASCII text each. */
  pages: readonly string[];
  /** Bytes of blanks in front of the text of each page; they are packed to a thousandth. */
  padding?: number;
  /** Chinese text on the first page, in a font whose codes need a character map or have one in the file. */
  chinese?: { text: string; map: "predefined" | "embedded" };
};

/** Creates a small PDF file. */
export const createPdf = ({ title, pages, padding = 0, chinese }: PdfContent): Uint8Array => {
  const pageId = (index: number): number => 5 + index * 2;
  const objects = new Map<number, Buffer>([
    [1, Buffer.from("<< /Type /Catalog /Pages 2 0 R >>")],
    [
      2,
      Buffer.from(
        `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageId(index)} 0 R`).join(" ")}] >>`,
      ),
    ],
    [3, Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")],
    [4, Buffer.from(`<< ${title === undefined ? "" : `/Title (${title})`} >>`)],
  ]);
  const chineseId = pageId(pages.length);
  if (chinese) {
    objects.set(chineseId, createChineseFont(chinese.map, chineseId + 1));
    objects.set(chineseId + 1, toStream(Buffer.from(UNICODE_MAP)));
  }
  pages.forEach((text, index) => {
    const id = pageId(index);
    const more = chinese && index === 0 ? `/F2 12 Tf <${toUtf16Hex(chinese.text)}> Tj` : "";
    const blanks = Buffer.alloc(padding, " ");
    const stream = toStream(
      Buffer.concat([blanks, Buffer.from(`BT /F1 12 Tf 72 700 Td (${text}) Tj ${more} ET`)]),
    );
    objects.set(
      id,
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${id + 1} 0 R /Resources << /Font << /F1 3 0 R${chinese ? ` /F2 ${chineseId} 0 R` : ""} >> >> >>`,
      ),
    );
    objects.set(id + 1, stream);
  });
  return writeObjects(objects);
};

const toStream = (content: Uint8Array): Buffer => {
  const packed = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
    packed,
    Buffer.from("\nendstream"),
  ]);
};

const toUtf16Hex = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex");

/** A font without an embedded file, whose codes are UTF-16. */
const createChineseFont = (map: "predefined" | "embedded", unicodeMapId: number): Buffer =>
  Buffer.from(
    `<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light ${map === "predefined" ? "/Encoding /UniGB-UCS2-H" : `/Encoding /Identity-H /ToUnicode ${unicodeMapId} 0 R`}
    /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light
      /CIDSystemInfo << /Registry (Adobe) /Ordering (${map === "predefined" ? "GB1" : "Identity"}) /Supplement 0 >>
      /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [0 0 1000 1000]
        /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 >> >>] >>`,
  );

/** Each code is its own character. */
const UNICODE_MAP = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <4E00> <9FFF> <4E00> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`;

const writeObjects = (objects: ReadonlyMap<number, Buffer>): Uint8Array => {
  const chunks: Uint8Array[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = chunks[0]?.length ?? 0;
  const write = (chunk: Uint8Array): void => {
    chunks.push(chunk);
    length += chunk.length;
  };
  for (const [id, body] of [...objects].toSorted(([a], [b]) => a - b)) {
    offsets.push(length);
    write(Buffer.concat([Buffer.from(`${id} 0 obj\n`), body, Buffer.from("\nendobj\n")]));
  }
  const xref = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  write(
    Buffer.from(
      `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries.join("")}trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${xref}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(chunks);
};
