import { createHash } from "node:crypto";

/** What passwords are filled up with, as the format says. */
const PADDING = Buffer.from(
  "28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a",
  "hex",
);
/** Bytes of a key of the oldest encryption, which every reader knows. */
const KEY_BYTES = 5;
const PERMISSIONS = -4;
const ID = Buffer.from("0123456789abcdef");

const md5 = (...parts: Buffer[]): Buffer => createHash("md5").update(Buffer.concat(parts)).digest();

/** Node's own is missing in most builds. */
const rc4 = (key: Buffer, data: Buffer): Buffer => {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number): number => state[index & 255] ?? 0;
  const swap = (one: number, other: number): void => {
    [state[one], state[other]] = [at(other), at(one)];
  };
  let j = 0;
  for (let i = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, k] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      k = (k + at(i)) & 255;
      swap(i, k);
      return byte ^ at(at(i) + at(k));
    }),
  );
};

const pad = (password: string): Buffer =>
  Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);

/** Creates a PDF file of one page that can only be read with its password. */
export const createLockedPdf = (text: string, password: string): Buffer => {
  const owner = rc4(md5(pad(password)).subarray(0, KEY_BYTES), pad(password));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(pad(password), owner, permissions, ID).subarray(0, KEY_BYTES);
  const user = rc4(key, PADDING);
  const contentId = 5;
  const contentKey = md5(key, Buffer.from([contentId, 0, 0, 0, 0])).subarray(0, KEY_BYTES + 5);
  const content = rc4(contentKey, Buffer.from(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`));
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contentId} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
      content,
      Buffer.from("\nendstream"),
    ]),
    `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString("hex")}> /U <${user.toString("hex")}> /P ${PERMISSIONS} >>`,
  ];
  return writeObjects(objects);
};

const writeObjects = (objects: readonly (string | Buffer)[]): Buffer => {
  const chunks = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  const measure = (): number => chunks.reduce((sum, { length }) => sum + length, 0);
  for (const [index, body] of objects.entries()) {
    offsets.push(measure());
    chunks.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(body), Buffer.from("\nendobj\n"));
  }
  const start = measure();
  const id = `<${ID.toString("hex")}>`;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const size = objects.length + 1;
  const trailer = `<< /Size ${size} /Root 1 0 R /Encrypt ${objects.length} 0 R /ID [${id} ${id}] >>`;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`;
  return Buffer.concat([
    ...chunks,
    Buffer.from(`${table}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`),
  ]);
};
