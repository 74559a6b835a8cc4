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
  tools: {
    web_search: () => ({
      type: "provider",
      id: "google.google_search",
      name: "google_search",
      args: {},
    }),
    code_execution: () => ({
      type: "provider",
      id: "google.code_execution",
      name: "code_execution",
      args: {},
    }),
    file_search: (fileSearchStoreNames) => ({
      type: "provider",
      id: "google.file_search",
      name: "file_search",
      args: { fileSearchStoreNames },
    }),
  },
  takesPdfs: true,
  // Beside tools of others, its client names calls of some by their type.
  takesBack: ({ toolName, names }) =>
    toolName.startsWith("server:") ? names.length > 0 : names.includes(toolName),
  mixesTools: (model) => SINCE_GEMINI_3.test(model),
  takesImagesInResults: (model) => SINCE_GEMINI_3.test(model),
};
