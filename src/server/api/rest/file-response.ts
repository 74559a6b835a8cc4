import { create as createContentDisposition } from "content-disposition";
import parseRanges from "range-parser";
import { isRasterImage } from "@/contract/file-kind";
import { DomainError } from "@/contract/domain-error";
import { PROBLEM_HEADERS } from "@/server/api/failure-response";
import { toProblem } from "@/server/api/problem";

type FileRequest = { request: Pick<Request, "method" | "headers">; requestId: string };

/** Of bytes, the last one included. */
type Range = { start: number; end: number };

type Slices = Iterator<Uint8Array, unknown> | AsyncIterator<Uint8Array, unknown>;

export type FileContent = {
  mediaType: string;
  /** Bytes. */
  size: number;
  /** @returns the bytes of a range in slices. */
  read: (range: Range) => Slices;
};

type SentFile = {
  name: string;
  etag: string;
  /** Called only when the content is needed. */
  open: () => Promise<FileContent>;
};

/**
 * Creates the response with a file, or with the range that the request asks for. Only images of pixels are
 * shown in place, as anything else could run scripts of its author with the rights of the reader.
 */
export const createFileResponse = async (
  { name, etag, open }: SentFile,
  { request, requestId }: FileRequest,
): Promise<Response> => {
  if (includesTag(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: { ...CACHE_HEADERS, etag } });
  }
  const { mediaType, size, read } = await open();
  const range = findRange(request.headers, { size, etag });
  if (range === "unsatisfiable") return createRangeProblem(size, requestId);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const body = request.method === "HEAD" ? null : toStream(read({ start, end }));
  return new Response(body, {
    status: range ? 206 : 200,
    headers: {
      ...CACHE_HEADERS,
      ...toTypeHeaders(name, mediaType),
      etag,
      "accept-ranges": "bytes",
      "content-length": String(end - start + 1),
      ...(range && { "content-range": `bytes ${start}-${end}/${size}` }),
    },
  });
};

/** Creates the response with a document that is written while it is sent. Its length is not known before. */
export const createDocumentResponse = (
  { name, mediaType, content }: { name: string; mediaType: string; content: () => Slices },
  { request }: FileRequest,
): Response =>
  new Response(request.method === "HEAD" ? null : toStream(content()), {
    headers: {
      ...CACHE_HEADERS,
      "content-type": mediaType,
      "content-disposition": createContentDisposition(name, { type: "attachment" }),
    },
  });

/** A file never changes, but who may read it can, so each use asks the server. */
const CACHE_HEADERS = {
  "cache-control": "private, no-cache",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
};

const toTypeHeaders = (name: string, mediaType: string) => {
  const isSafe = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(mediaType);
  const type = isSafe ? mediaType : "application/octet-stream";
  return {
    "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type,
    "content-disposition": createContentDisposition(name, {
      type: isRasterImage(type) ? "inline" : "attachment",
    }),
  };
};

export const includesTag = (header: string | null, etag: string): boolean => {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
};

/** A request for several ranges, or with an invalid one, gets the whole file. */
const findRange = (
  headers: Headers,
  { size, etag }: { size: number; etag: string },
): Range | "unsatisfiable" | undefined => {
  const header = headers.get("range");
  const condition = headers.get("if-range");
  if (header === null || (condition !== null && condition.trim() !== etag)) return undefined;
  const ranges = parseRanges(size, header, { combine: true });
  if (ranges === -1) return "unsatisfiable";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return ranges[0];
};

const createRangeProblem = (size: number, requestId: string): Response => {
  const error = new DomainError("invalid", `The file has ${size} bytes, and none in this range.`);
  const problem = { ...toProblem(error, requestId), title: "Range Not Satisfiable", status: 416 };
  return new Response(JSON.stringify(problem), {
    status: 416,
    headers: { ...PROBLEM_HEADERS, "content-range": `bytes */${size}` },
  });
};

/** Reads as fast as the client takes it. */
const toStream = (slices: Slices): ReadableStream =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await slices.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await slices.return?.();
    },
  });
