import { isRecord } from "@/lib/is-record";
import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "@/contract/json";
import { type AnswerImage, createImageReader } from "@/server/model/stream/answer-images";
import { type Fields, toNumber } from "./fields";

/** What a chunk says beside the deltas that the client reads. */
export type AnswerExtras = {
  images: AnswerImage[];
  sources: { url: string; title?: string }[];
  /** As they must come back with the message in the next request; pieces of one text are joined. */
  reasoningDetails: JsonObject[];
};

/** Where the metadata of a `finish` part has the extras. */
export const EXTRAS = "parley-extras";

const MAX_SOURCES = 200;
/** Details of one answer; encrypted reasoning is one of them. */
const MAX_DETAILS = 1_000;

/**
 * Collects what the chunks of an answer of a server that is compatible with OpenAI say beside its deltas. The client calls
 * it with each chunk, and asks for the metadata of the `finish` part.
 */
export const createExtrasExtractor = () => {
  const titles = new Map<string, string | undefined>();
  const details: Fields[] = [];
  const images: AnswerImage[] = [];
  /** Created for the first image. */
  let readImage: ReturnType<typeof createImageReader> | undefined;

  const addSource = (value: unknown): void => {
    const source = isRecord(value) ? value : { url: value };
    // Annotations have the address in an object of their type.
    const { url, title } = isRecord(source.url_citation) ? source.url_citation : source;
    if (typeof url !== "string" || (titles.size === MAX_SOURCES && !titles.has(url))) return;
    titles.set(url, typeof title === "string" ? title : titles.get(url));
  };

  const addImage = (value: unknown): void => {
    readImage ??= createImageReader();
    const image = readImage(value);
    if (image) images.push(image);
  };

  const addDetail = (value: unknown): void => {
    if (!isRecord(value) || details.length === MAX_DETAILS) return;
    const last = details.at(-1);
    if (last && isSameDetail(last, value)) joinDetail(last, value);
    else details.push({ ...value });
  };

  return {
    /** @param value a chunk, parsed. */
    processChunk: (value: unknown): void => {
      if (!isRecord(value)) return;
      const [choice] = toList(value.choices);
      const message = isRecord(choice) ? (choice.delta ?? choice.message) : undefined;
      const fields = isRecord(message) ? message : {};
      for (const owner of [value, fields]) {
        for (const key of ["citations", "search_results", "annotations"]) {
          toList(owner[key]).forEach(addSource);
        }
      }
      toList(fields.reasoning_details).forEach(addDetail);
      toList(fields.images).forEach(addImage);
      toList(fields.content).filter(isImage).forEach(addImage);
    },
    buildMetadata: (): SharedV4ProviderMetadata | undefined => {
      if (titles.size + details.length + images.length === 0) return undefined;
      const extras: AnswerExtras = {
        images,
        sources: [...titles].map(([url, title]) => ({
          url,
          ...(title !== undefined && { title }),
        })),
        // They come from JSON.
        reasoningDetails: details as JsonObject[],
      };
      return { [EXTRAS]: extras };
    },
  };
};

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Of the parts of a content. */
const isImage = (part: unknown): boolean => isRecord(part) && part.type === "image_url";

const TEXTS = ["text", "summary"];

/** Whether a detail is the next piece of one text; encrypted ones are whole. */
const isSameDetail = (last: Fields, next: Fields): boolean =>
  last.type === next.type &&
  toNumber(last.index) === toNumber(next.index) &&
  (next.id === undefined || next.id === null || last.id === next.id) &&
  TEXTS.some((key) => typeof last[key] === "string" && typeof next[key] === "string");

const joinDetail = (last: Fields, next: Fields): void => {
  for (const [key, value] of Object.entries(next)) {
    const text = last[key];
    const isText = TEXTS.includes(key) && typeof text === "string" && typeof value === "string";
    if (isText) last[key] = text + value;
    else if (value !== null) last[key] = value;
  }
};
