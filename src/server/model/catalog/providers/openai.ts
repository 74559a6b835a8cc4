import { isRecord } from "@/lib/is-record";
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
  tools: {
    web_search: () => ({
      type: "provider",
      id: "openai.web_search",
      name: "web_search",
      args: {},
    }),
    code_execution: () => ({
      type: "provider",
      id: "openai.code_interpreter",
      name: "code_interpreter",
      args: {},
    }),
    file_search: (vectorStoreIds) => ({
      type: "provider",
      id: "openai.file_search",
      name: "file_search",
      args: { vectorStoreIds },
    }),
  },
  // Its client sends back no other result that the provider has not stored, and no search that has not begun.
  takesBack: ({ toolName, output, names }) =>
    toolName === "web_search" &&
    names.includes(toolName) &&
    isRecord(output) &&
    isRecord(output.action),
  takesPdfs: true,
  takesImagesInResults: () => true,
  maxTools: 128,
};
