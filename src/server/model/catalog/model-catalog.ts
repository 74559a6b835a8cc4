import type { ModelPrices, ProviderName, ToolProtocol } from "@/contract/model";
import { KNOWN_MODELS, type KnownModel } from "./known-models";

/** What a new model has where a person enters nothing. */
export type CatalogEntry = {
  name: string;
  contextLimit: number | null;
  prices: ModelPrices | null;
  toolProtocol: ToolProtocol;
  /** What the entry was made of; undefined for an unknown model. */
  known?: KnownModel;
};

/** Dated releases share the entry of their model. */
const RELEASE_SUFFIX = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/** Looks up a model's name, context limit, prices and protocol; an unknown model has its id as name. */
export const lookUpModel = (provider: ProviderName, id: string): CatalogEntry =>
  createEntry(id, findKnown(provider, id) ?? findKnown(provider, id.replace(RELEASE_SUFFIX, "")));

const findKnown = (provider: ProviderName, id: string): KnownModel | undefined =>
  KNOWN_MODELS[provider]?.find((model) => model.id === id);

const createEntry = (id: string, known: KnownModel | undefined): CatalogEntry => ({
  name: known?.name ?? id,
  contextLimit: known?.context ?? null,
  prices: known?.dollars ? toPrices(known.dollars) : null,
  toolProtocol: known?.toolProtocol ?? "native",
  ...(known && { known }),
});

/** Prices are in millionths of a dollar per million tokens. */
const MICROS_PER_DOLLAR = 1_000_000;
const toMicros = (dollars: number): number => Math.round(dollars * MICROS_PER_DOLLAR);

const toPrices = ({
  input,
  output,
  read,
  write,
}: NonNullable<KnownModel["dollars"]>): ModelPrices => ({
  input: toMicros(input),
  output: toMicros(output),
  ...(read !== undefined && { cache_read: toMicros(read) }),
  ...(write !== undefined && { cache_write: toMicros(write) }),
});
