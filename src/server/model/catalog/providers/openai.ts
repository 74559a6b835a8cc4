import { createOpenAI } from "@ai-sdk/openai";
import { type Provider, toBearer, toClientOptions } from "@/server/model/catalog/provider";
import { createProviderFetch } from "@/server/model/stream/provider-fetch";
import {
  createResponsesRepair,
  readWholeResponse,
} from "@/server/model/stream/repairs/responses-events";

export const openai: Provider = {
  createClient: (access, model) =>
    createOpenAI({
      ...toClientOptions(access),
      fetch: createProviderFetch({
        provider: "openai",
        events: { textKeys: [], createRepair: createResponsesRepair },
        readWhole: readWholeResponse,
      }),
    }).responses(model),
  listing: { address: "https://api.openai.com/v1", path: "/models", toHeaders: toBearer },
  // The provider stores nothing, so encrypted reasoning is returned and sent back in the next step.
  options: { openai: { store: false } },
  // Also for a model that the client does not know. It asks for a summary, which some accounts do not get.
  toThinking: ({ effort, isShown }) => ({
    reasoning: effort,
    providerOptions: {
      openai: { forceReasoning: true, ...(!isShown && { reasoningSummary: null }) },
    },
  }),
  canEnforceFormat: () => true,
  takesPdfs: true,
  takesImagesInResults: () => true,
  maxTools: 128,
};
