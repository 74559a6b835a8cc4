import { createOpenAI } from "@ai-sdk/openai";
import { createEntry, type Provider, toClientOptions } from "@/server/model/catalog/provider";
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
  // The provider stores nothing, so encrypted reasoning is returned and sent back in the next step.
  options: { openai: { store: false } },
  takesImagesInResults: () => true,
  maxTools: 128,
  models: {
    "gpt-5": createEntry("GPT-5", 400_000, { input: 1.25, output: 10, read: 0.125 }),
    "gpt-5-mini": createEntry("GPT-5 mini", 400_000, { input: 0.25, output: 2, read: 0.025 }),
    "gpt-5-nano": createEntry("GPT-5 nano", 400_000, { input: 0.05, output: 0.4, read: 0.005 }),
    "gpt-4.1": createEntry("GPT-4.1", 1_047_576, { input: 2, output: 8, read: 0.5 }),
    "gpt-4.1-mini": createEntry("GPT-4.1 mini", 1_047_576, { input: 0.4, output: 1.6, read: 0.1 }),
    "gpt-4o": createEntry("GPT-4o", 128_000, { input: 2.5, output: 10, read: 1.25 }),
    "gpt-4o-mini": createEntry("GPT-4o mini", 128_000, { input: 0.15, output: 0.6, read: 0.075 }),
  },
};
