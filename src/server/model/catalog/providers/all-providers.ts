import type { ProviderName } from "@/contract/model";
import type { Provider } from "@/server/model/catalog/provider";
import { anthropic } from "./anthropic";
import { demo } from "./demo";
import { google } from "./google";
import { openai } from "./openai";
import { openaiCompatible } from "./openai-compatible";

export const ALL_PROVIDERS: Record<ProviderName, Provider> = {
  demo,
  openai,
  anthropic,
  google,
  "openai-compatible": openaiCompatible,
};
