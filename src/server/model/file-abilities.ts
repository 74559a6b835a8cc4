import type { LanguageModelV4 } from "@ai-sdk/provider";
import { ModelAbility, type ModelReading } from "@/contract/model";
import { ALL_PROVIDERS } from "./catalog/providers/all-providers";
import type { ChatModel } from "./model-step";
import { refusalsByClient } from "./refusals";

/** What a model takes besides text. */
export type FileAbilities = {
  /** Also if nothing is known of it: a refusal tells. */
  images: boolean;
  /** As documents, not as their text. */
  pdfs: boolean;
};

type Reader = Pick<ChatModel, "provider"> & {
  abilities?: ChatModel["abilities"] | undefined;
  /** Undefined before its first call. */
  client: LanguageModelV4 | undefined;
};

/** Finds what a model takes: by what its vendor or an administrator says, and by what its server has refused. */
export const findFileAbilities = ({ client, provider, abilities }: Reader): FileAbilities => {
  const refused = client && refusalsByClient.get(client);
  const images = refused?.images !== true && abilities?.includes("images") !== false;
  const pdfs = abilities?.includes("pdfs") ?? ALL_PROVIDERS[provider].takesPdfs ?? false;
  return { images, pdfs: pdfs && refused?.pdfs !== true };
};

/** @returns what a model can do, without the files that its server has refused; undefined if nothing is known of it. */
export const listAbilities = (model: Reader): readonly ModelAbility[] | undefined => {
  const refused = model.client && refusalsByClient.get(model.client);
  if (!refused?.images && !refused?.pdfs) return model.abilities;
  return replaceFiles(model.abilities, findFileAbilities(model));
};

const READINGS: Record<ModelReading, FileAbilities> = {
  text: { images: false, pdfs: false },
  images: { images: true, pdfs: false },
  images_and_pdfs: { images: true, pdfs: true },
};

/** Replaces what is known of the files that a model reads by what an administrator has set. */
export const withReading = (
  known: readonly ModelAbility[] | undefined,
  reads: ModelReading | null | undefined,
): readonly ModelAbility[] | undefined => (reads ? replaceFiles(known, READINGS[reads]) : known);

/** A model of which nothing is known is offered tools. */
const UNKNOWN: readonly ModelAbility[] = ["tools"];

const replaceFiles = (
  abilities: readonly ModelAbility[] | undefined,
  files: FileAbilities,
): readonly ModelAbility[] => {
  const others = abilities ?? UNKNOWN;
  const replaced: Partial<Record<ModelAbility, boolean>> = files;
  return ModelAbility.options.filter((name) => replaced[name] ?? others.includes(name));
};
