import { createGoogle } from "@ai-sdk/google";
import { type Provider, toClientOptions } from "@/server/model/catalog/provider";
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
  listing: {
    address: "https://generativelanguage.googleapis.com/v1beta",
    path: "/models?pageSize=1000",
    toHeaders: (apiKey) => ({ "x-goog-api-key": apiKey }),
  },
  takesPdfs: true,
  takesImagesInResults: (model) => /gemini-([3-9]|\d\d)/.test(model),
};
