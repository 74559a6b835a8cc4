import type { ProviderName } from "@/contract/model";
import type { CatalogEntry } from "./provider";
import { ALL_PROVIDERS } from "./providers/all-providers";

/** Dated releases share the entry of their model. */
const RELEASE_SUFFIX = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/** Looks up a model's name, context limit, prices and protocol; an unknown model has its id as name. */
export const lookUpModel = (provider: ProviderName, id: string): CatalogEntry =>
  findEntry(provider, id) ??
  findEntry(provider, id.replace(RELEASE_SUFFIX, "")) ?? {
    name: id,
    contextLimit: null,
    prices: null,
    toolProtocol: "native",
  };

/** An id is any text, so it may be the name of a property that every object has. */
const findEntry = (provider: ProviderName, id: string): CatalogEntry | undefined => {
  const { models = {} } = ALL_PROVIDERS[provider];
  return Object.hasOwn(models, id) ? models[id] : undefined;
};
