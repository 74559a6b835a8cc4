import { createGoogle } from "@ai-sdk/google";
import { createEntry, type Provider, toClientOptions } from "@/server/model/catalog/provider";
import { createProviderFetch } from "@/server/model/stream/provider-fetch";
import { createGoogleRepair, readWholeContent } from "@/server/model/stream/repairs/google-numbers";

export const google: Provider = {
  createClient: (access, model) =>
    createGoogle({
      ...toClientOptions(access),
      fetch: createProviderFetch({
        provider: "google",
        events: { textKeys: [], createRepair: createGoogleRepair },
        readWhole: readWholeContent,
      }),
    })(model),
  takesImagesInResults: (model) => /gemini-([3-9]|\d\d)/.test(model),
  models: {
    "gemini-2.5-pro": createEntry("Gemini 2.5 Pro", 1_048_576, {
      input: 1.25,
      output: 10,
      read: 0.31,
    }),
    "gemini-2.5-flash": createEntry("Gemini 2.5 Flash", 1_048_576, {
      input: 0.3,
      output: 2.5,
      read: 0.075,
    }),
    "gemini-2.5-flash-lite": createEntry("Gemini 2.5 Flash-Lite", 1_048_576, {
      input: 0.1,
      output: 0.4,
      read: 0.025,
    }),
  },
};
