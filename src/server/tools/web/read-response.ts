import { fileTypeFromBuffer } from "file-type";
import type { Response } from "undici";
import { readHtml, readPdf, type ReadResult } from "@/server/documents/read-document";
import { ToolFailure } from "@/server/tools/tool-result";
import { decodeText } from "./decode-text";
import { readBody, type Body } from "./read-body";

/** Most bytes of a body, unpacked. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;
/** Most bytes of HTML that are read: the tree of a page takes hundreds of times its size. */
const MAX_HTML_BYTES = 2 * 1024 * 1024;
/** Bytes that identify a type; with more, some detectors read every entry of an archive. */
const DETECTION_BYTES = 4_100;
/** Longest content type that is shown, in UTF-16 units. */
const MAX_TYPE_LENGTH = 200;

/** What a response contains, for a model. */
export type WebContent = {
  contentType: string;
  title: string;
  text: string;
  /** Whether the body was longer than what was read. */
  isCut: boolean;
  /** For a picture, which a text cannot show. */
  image?: { mediaType: string; bytes: Uint8Array };
};

type ContentKind = "html" | "text" | "pdf" | "image" | "other";

/** @throws {ToolFailure} for content that cannot be shown to a model; as `readBody` for one that breaks off. */
export const readResponse = async (
  response: Response,
  url: URL,
  signal: AbortSignal,
): Promise<WebContent> => {
  const declared = parseContentType(response.headers.get("content-type"));
  const body = await readBody(response, MAX_BODY_BYTES);
  const type = (await detectBinaryType(body.bytes)) ?? declared.type ?? guessType(body.bytes);
  const content = { contentType: declared.text ?? type, title: "", isCut: body.isCut };
  switch (toKind(type)) {
    case "html": {
      const bytes = body.bytes.subarray(0, MAX_HTML_BYTES);
      const page = await readHtml({ bytes, url: url.href, charset: declared.charset }, signal);
      const isCut = body.isCut || bytes.length < body.bytes.length;
      return { ...content, ...requireDocument(page, "The page"), isCut };
    }
    case "pdf":
      requireWhole(body, "PDF file");
      return { ...content, ...requireDocument(await readPdf(body.bytes, signal), "The PDF file") };
    case "image":
      requireWhole(body, "image");
      return { ...content, text: "", image: { mediaType: type, bytes: body.bytes } };
    case "text":
      return { ...content, text: decodeText(body.bytes, declared.charset) };
    case "other":
      throw new ToolFailure(
        `The content is of type ${type}, which cannot be read here. Pages, text, JSON, PDF files and images can.`,
      );
  }
};

const parseContentType = (
  header: string | null,
): { text?: string; type?: string; charset?: string } => {
  const text = header?.trim().slice(0, MAX_TYPE_LENGTH);
  if (!text) return {};
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(text)?.[0].toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(text)?.[1];
  return { text, ...(type !== undefined && { type }), ...(charset !== undefined && { charset }) };
};

/** Servers declare wrong types for files. XML may be many things, of which the declared type is one. */
const detectBinaryType = async (bytes: Uint8Array): Promise<string | undefined> => {
  const detected = await fileTypeFromBuffer(bytes.subarray(0, DETECTION_BYTES));
  return detected?.mime === "application/xml" ? undefined : detected?.mime;
};

/** For a response without a type. */
const guessType = (bytes: Uint8Array): string => {
  const start = Buffer.from(bytes.subarray(0, DETECTION_BYTES)).toString("latin1");
  if (/^\s*(?:<!doctype html|<html|<head|<body)/i.test(start)) return "text/html";
  return start.includes("\0") ? "application/octet-stream" : "text/plain";
};

const TEXT_TYPE =
  /^text\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|ecmascript|typescript|x-sh|sql|x-ndjson|jsonl|graphql)$/;

const toKind = (type: string): ContentKind => {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/pdf") return "pdf";
  if (type.startsWith("image/")) return "image";
  return TEXT_TYPE.test(type) ? "text" : "other";
};

const requireDocument = (result: ReadResult, what: string) => {
  if ("failure" in result) throw new ToolFailure(`${what} could not be read: ${result.failure}.`);
  return result;
};

const requireWhole = ({ isCut }: Body, what: string): void => {
  if (isCut) {
    throw new ToolFailure(
      `The ${what} is larger than ${MAX_BODY_BYTES} bytes, which is the limit.`,
    );
  }
};
