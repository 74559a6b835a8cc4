import { useState } from "react";
import type { JsonValue } from "@/contract/json";
import {
  type DiscoveredModel,
  type DiscoveredModels,
  type Model,
  ProviderName,
} from "@/contract/model";
import type { DiscoverModelsInput } from "@/contract/model-inputs";
import { isSameJson } from "@/lib/is-same-json";

type Get = (path: string) => JsonValue | undefined;

type ListedModels = { request: DiscoverModelsInput; result: DiscoveredModels | undefined };

/**
 * The models of the server that a form names. They are those of one provider, address and key: after a change of
 * these, they are not known until the server is asked again.
 *
 * @param onDiscover asks the server. Does not reject.
 */
export const useModelList = (
  model: Model | undefined,
  onDiscover: (input: DiscoverModelsInput) => Promise<DiscoveredModels>,
) => {
  const [listed, setListed] = useState<ListedModels>();
  const find = (get: Get): ListedModels | undefined =>
    listed && isSameJson(listed.request, toRequest(get, model)) ? listed : undefined;
  return {
    find,
    /** Returns the model that the form names, if it is in the list. */
    findChosen: (get: Get): DiscoveredModel | undefined => {
      const id = toText(get("model"));
      return find(get)?.result?.data.find((one) => one.model === id);
    },
    /** Asks the server. @returns whether it has models. */
    ask: async (get: Get): Promise<boolean> => {
      const request = toRequest(get, model);
      setListed({ request, result: undefined });
      const result = await onDiscover(request);
      setListed((before) => (before?.request === request ? { request, result } : before));
      return result.data.length > 0;
    },
  };
};

/** What is as it is stored is not sent, as the server knows it. */
const toRequest = (get: Get, model: Model | undefined): DiscoverModelsInput => {
  const provider = ProviderName.parse(get("provider"));
  const apiKey = toText(get("api_key"));
  const baseUrl = toText(get("base_url"));
  const storedUrl = model?.access?.base_url ?? "";
  return {
    provider,
    ...(model && { model_id: model.id }),
    ...(apiKey !== "" && { api_key: apiKey }),
    ...(baseUrl !== storedUrl && { base_url: baseUrl === "" ? null : baseUrl }),
  };
};

const toText = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value.trim() : "";
