import type { Model, ModelPrices, ProviderName, ToolProtocol } from "@/contract/model";
import type { CreateModelInput, UpdateModelInput } from "@/contract/model-inputs";
import { PROVIDERS } from "@/contract/providers";

/** The texts of the form's fields; their names are those of the input, so that errors find them. */
export type ModelDraft = {
  provider: ProviderName;
  model: string;
  name: string;
  base_url: string;
  api_key: string;
  tool_protocol: ToolProtocol;
  context_limit: string;
  "prices/input": string;
  "prices/output": string;
  is_default: "yes" | "no";
};

/** Prices are stored in millionths of a dollar, and entered in dollars. */
const MICROS_PER_DOLLAR = 1_000_000;

const EMPTY: ModelDraft = {
  provider: "openai",
  model: "",
  name: "",
  base_url: "",
  api_key: "",
  tool_protocol: "native",
  context_limit: "",
  "prices/input": "",
  "prices/output": "",
  is_default: "yes",
};

/** @param model undefined for a new one, whose known values the server fills in. */
export const toModelDraft = (model: Model | undefined): ModelDraft =>
  model === undefined
    ? EMPTY
    : {
        provider: model.provider,
        model: model.model,
        name: model.name,
        api_key: "",
        base_url: model.access?.base_url ?? "",
        tool_protocol: model.tool_protocol,
        context_limit: model.context_limit === null ? "" : String(model.context_limit),
        "prices/input": toDollars(model.prices?.input),
        "prices/output": toDollars(model.prices?.output),
        is_default: model.is_default ? "yes" : "no",
      };

const toDollars = (micros: number | undefined): string =>
  micros === undefined ? "" : String(micros / MICROS_PER_DOLLAR);

/** Returns why each field cannot be sent. */
export const validateModelDraft = (draft: ModelDraft) => ({
  model: draft.model.trim() === "" ? "Enter the provider's name of the model." : undefined,
  base_url: validateBaseUrl(draft),
  api_key: /\s/.test(draft.api_key.trim()) ? "Enter one word, without spaces." : undefined,
  context_limit: /^\d{0,9}$/.test(draft.context_limit.trim())
    ? undefined
    : "Enter a whole number of tokens, such as 200000.",
  "prices/input": validatePrice(draft, "prices/input"),
  "prices/output": validatePrice(draft, "prices/output"),
});

const validateBaseUrl = ({ provider, base_url }: ModelDraft): string | undefined => {
  const url = base_url.trim();
  if (url === "") {
    return PROVIDERS[provider].needs === "address"
      ? "Enter the address of the server, such as http://127.0.0.1:11434/v1."
      : undefined;
  }
  return /^https?:\/\/./.test(url) && URL.canParse(url)
    ? undefined
    : "Enter an address that begins with http:// or https://.";
};

const validatePrice = (
  draft: ModelDraft,
  field: "prices/input" | "prices/output",
): string | undefined => {
  const other = field === "prices/input" ? "prices/output" : "prices/input";
  const text = draft[field].trim();
  if (text === "") return draft[other].trim() === "" ? undefined : "Enter both prices, or none.";
  return /^\d{1,6}(\.\d{1,6})?$/.test(text) ? undefined : "Enter dollars, such as 1.25.";
};

const toPrices = (
  draft: ModelDraft,
  known: ModelPrices | undefined,
): ModelPrices | null | undefined => {
  const input = draft["prices/input"].trim();
  if (input === "") return known ? null : undefined;
  const toMicros = (dollars: string): number => Math.round(Number(dollars) * MICROS_PER_DOLLAR);
  return { ...known, input: toMicros(input), output: toMicros(draft["prices/output"]) };
};

/** Leaves out what is empty, which the server then looks up. */
export const toCreateInput = (draft: ModelDraft): CreateModelInput => {
  const prices = toPrices(draft, undefined);
  const { name, base_url, api_key, context_limit } = trimTexts(draft);
  return {
    provider: draft.provider,
    model: draft.model.trim(),
    enabled: true,
    is_default: draft.is_default === "yes",
    ...(name !== "" && { name }),
    ...(base_url !== "" && { base_url }),
    ...(api_key !== "" && { api_key }),
    ...(draft.tool_protocol === "xml" && { tool_protocol: draft.tool_protocol }),
    ...(context_limit !== "" && { context_limit: Number(context_limit) }),
    ...(prices && { prices }),
  };
};

/** Leaves out what is as before; an empty key keeps the stored one. */
export const toUpdateInput = (draft: ModelDraft, model: Model): UpdateModelInput => ({
  model_id: model.id,
  ...changeNames(draft, model),
  ...changeAccess(draft, model),
  ...(draft.tool_protocol !== model.tool_protocol && { tool_protocol: draft.tool_protocol }),
  ...changeLimits(draft, model),
  ...(draft.is_default === "yes" && !model.is_default && { is_default: true }),
});

const changeNames = (draft: ModelDraft, model: Model) => {
  const { name } = trimTexts(draft);
  return {
    ...(draft.model.trim() !== model.model && { model: draft.model.trim() }),
    ...(name !== "" && name !== model.name && { name }),
  };
};

const changeAccess = (draft: ModelDraft, model: Model) => {
  const { base_url, api_key } = trimTexts(draft);
  const hasNewAddress = base_url !== toModelDraft(model).base_url;
  return {
    ...(hasNewAddress && { base_url: base_url === "" ? null : base_url }),
    ...(api_key !== "" && { api_key }),
  };
};

const changeLimits = (draft: ModelDraft, model: Model) => {
  const before = toModelDraft(model);
  const { context_limit } = trimTexts(draft);
  const hasNewPrices =
    draft["prices/input"] !== before["prices/input"] ||
    draft["prices/output"] !== before["prices/output"];
  const prices = hasNewPrices ? toPrices(draft, model.prices) : undefined;
  return {
    ...(context_limit !== before.context_limit && {
      context_limit: context_limit === "" ? null : Number(context_limit),
    }),
    ...(prices !== undefined && { prices }),
  };
};

const trimTexts = ({ name, base_url, api_key, context_limit }: ModelDraft) => ({
  name: name.trim(),
  base_url: base_url.trim(),
  api_key: api_key.trim(),
  context_limit: context_limit.trim(),
});
