import { createGoogle } from "@ai-sdk/google";
import { type Provider, toClientOptions } from "@/server/model/catalog/provider";
import { createProviderFetch } from "@/server/model/stream/provider-fetch";
import { createGoogleRepair, readWholeContent } from "@/server/model/stream/repairs/google-numbers";

const SINCE_GEMINI_3 = /gemini-([3-9]|\d\d)/;

/** People see what a model thinks that they let think. */
const SHOWN_THOUGHTS = {
  providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
};

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
  toThinking: ({ effort, isShown }) => ({
    reasoning: effort,
    ...(isShown && effort !== "none" && SHOWN_THOUGHTS),
  }),
  canEnforceFormat: ({ model, hasTools }) => !hasTools || SINCE_GEMINI_3.test(model),
  takesPdfs: true,
  takesImagesInResults: (model) => SINCE_GEMINI_3.test(model),
};
