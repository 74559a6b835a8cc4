import type { ChatUsage, MessageUsage, OmittedFiles, UsageTotals } from "@/contract/usage";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

const TOTALS = {
  input_tokens: SHARED.input_tokens,
  output_tokens: SHARED.output_tokens,
  cost_micros: ["Millionths of a dollar; 0 while the model has no prices.", 1_250],
} as const satisfies Record<string, FieldText>;

export const USAGE_TEXTS = {
  ChatUsage: {
    ...TOTALS,
    by_kind: ["Usage by what the calls were for."],
  } satisfies FieldTexts<ChatUsage>,
  UsageTotals: TOTALS satisfies FieldTexts<UsageTotals>,
  MessageUsage: {
    input_tokens: SHARED.input_tokens,
    output_tokens: SHARED.output_tokens,
    reasoning_tokens: ["Tokens of the reasoning.", 0],
    cache_read_tokens: ["Tokens from the provider's cache.", 0],
    cache_write_tokens: ["Tokens written to the provider's cache.", 0],
    estimated: ["True if the provider reported no usage, as the answer was stopped.", true],
    omitted_files: ["Images and PDFs of earlier messages that the request had no room for."],
  } satisfies FieldTexts<MessageUsage>,
  OmittedFiles: {
    images: ["Images in whose place the model read a sentence.", 3],
    pdfs: ["PDFs in whose place the model read their texts.", 1],
    before: [
      "The oldest file of messages that the request still had. These stand before it.",
      "0198c0de-0000-7000-8000-000000000009",
    ],
  } satisfies FieldTexts<OmittedFiles>,
} satisfies SchemaTexts;
