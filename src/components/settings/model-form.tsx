import { isSameJson } from "@/lib/is-same-json";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject } from "@/contract/json";
import { type Model, ProviderName } from "@/contract/model";
import { CreateModelInput, UpdateModelInput } from "@/contract/model-inputs";
import type { FieldError } from "@/contract/problem";
import { PROVIDERS } from "@/contract/providers";
import type { FormFrame } from "./editable-list";
import { findAccessLock } from "./model-access";
import type { FormPart } from "./setting-fields";
import { SettingForm } from "./setting-form";
import { DOLLARS_TEXT } from "./text-formats";

type ModelFormProps = FormFrame & {
  /** The model that is changed; undefined for a new one. */
  model: Model | undefined;
  onCreate: (model: CreateModelInput) => void;
  onUpdate: (model: UpdateModelInput) => void;
};

/** Asks for what a model needs. */
export const ModelForm = ({ model, onCreate, onUpdate, ...frame }: ModelFormProps) => {
  const form = {
    ...frame,
    submitLabel: "Save and test",
    parts: (get: (path: string) => unknown) =>
      listParts(ProviderName.parse(model?.provider ?? get("provider")), model),
    check: (values: JsonObject) => checkValues(values, model),
  };
  if (!model) {
    return (
      <SettingForm
        {...form}
        schema={CreateModelInput}
        stored={NEW}
        toInput={toCreateInput}
        onSubmit={onCreate}
      />
    );
  }
  const stored = toStored(model);
  return (
    <SettingForm
      {...form}
      schema={UpdateModelInput}
      stored={stored}
      toInput={(values) => toUpdateInput(values, stored, model.id)}
      onSubmit={onUpdate}
    />
  );
};

const NEW = { provider: "openai", tool_protocol: "native", is_default: true };

const toStored = (model: Model): JsonObject => ({
  model: model.model,
  name: model.name,
  base_url: model.access?.base_url ?? null,
  tool_protocol: model.tool_protocol,
  context_limit: model.context_limit,
  prices: (model.prices as JsonObject | undefined) ?? null,
  is_default: model.is_default,
});

/** Prices that were not entered, or were removed, are none. */
const withPrices = ({ prices, ...values }: JsonObject): JsonObject => {
  const { input, output } = isJsonObject(prices) ? prices : {};
  return {
    ...values,
    prices: input === undefined && output === undefined ? null : (prices ?? null),
  };
};

/** Leaves out what is empty, which the server then looks up. */
const toCreateInput = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(withPrices(values)).filter(
      ([name, value]) => value !== null && !(name === "tool_protocol" && value === "native"),
    ),
  );

/** Leaves out what is as before. */
const toUpdateInput = (values: JsonObject, stored: JsonObject, id: string): JsonObject => ({
  model_id: id,
  ...Object.fromEntries(
    Object.entries(withPrices(values)).filter(([name, value]) => !isSameJson(value, stored[name])),
  ),
});

const checkValues = (values: JsonObject, model: Model | undefined): FieldError[] => {
  const { input, output } = isJsonObject(values.prices) ? values.prices : {};
  const provider = ProviderName.parse(model?.provider ?? values.provider);
  const hasAddress = typeof values.base_url === "string" && values.base_url !== "";
  const needsAddress = PROVIDERS[provider].needs === "address" && !hasAddress;
  return [
    ...find((values.model ?? "") === "", "model", "Enter the provider's name of the model."),
    ...find(needsAddress, "base_url", `Enter the address of the server, such as ${EXAMPLE_URL}.`),
    ...find(input === undefined && output !== undefined, "prices/input", BOTH_PRICES),
    ...find(output === undefined && input !== undefined, "prices/output", BOTH_PRICES),
  ];
};

const find = (isWrong: boolean, path: string, message: string): FieldError[] =>
  isWrong ? [{ pointer: `/${path}`, message }] : [];

const EXAMPLE_URL = "http://127.0.0.1:11434/v1";
const BOTH_PRICES = "Enter both prices, or none.";

const listParts = (provider: ProviderName, model: Model | undefined): FormPart[] => {
  const lock = model && findAccessLock(model);
  return [
    ...listIdentity(provider, model),
    ...(lock === undefined ? listAccess(provider, model) : [{ note: lock }]),
    {
      path: "name",
      label: "Name",
      hint: model ? "How people see it." : "How people see it. Optional.",
      control: "line",
    },
    {
      path: "tool_protocol",
      label: "How it calls tools",
      hint: "Choose XML for a model that cannot call tools or often fails to. The change applies from the next answer.",
      names: { native: "The provider's tool calls", xml: "XML in its answers" },
    },
    {
      section: "Context and prices",
      note: `${model ? "" : "Filled in for models that Parley knows. "}Without a context, long chats are not shortened in time. Without prices, no cost is shown.`,
      fields: LIMITS,
    },
    ...(model?.is_default ? [] : [DEFAULT]),
  ];
};

/** The provider is chosen once; what the environment names is not changed here. */
const listIdentity = (provider: ProviderName, model: Model | undefined): FormPart[] => {
  const { needs, label, exampleModel } = PROVIDERS[provider];
  const owner = needs === "address" ? "the server" : label;
  return [
    ...(model ? [] : [{ path: "provider", label: "Provider", names: PROVIDER_NAMES }]),
    ...(model?.access?.source === "environment"
      ? []
      : [
          {
            path: "model",
            label: "Model",
            hint: `As ${owner} calls it, such as ${exampleModel}.`,
            control: "code" as const,
            autoFocus: true,
          },
        ]),
  ];
};

/** What needs nothing is in every server already. */
const PROVIDER_NAMES = Object.fromEntries(
  ProviderName.options
    .filter((provider) => PROVIDERS[provider].needs !== "nothing")
    .map((provider) => [provider, PROVIDERS[provider].label]),
);

const listAccess = (provider: ProviderName, model: Model | undefined): FormPart[] => [
  {
    path: "api_key",
    label: "API key",
    hint: createKeyHint(provider, model),
    control: "secret",
    error: "Enter one word, without spaces.",
  },
  {
    path: "base_url",
    label: "Base URL",
    hint:
      PROVIDERS[provider].needs === "address"
        ? `The address of the server, such as ${EXAMPLE_URL} for Ollama.`
        : "Only for a proxy or a gateway. Empty for the provider's own address.",
    control: "code",
  },
];

const createKeyHint = (provider: ProviderName, model: Model | undefined): string => {
  if (model?.access?.key === "settings") return "A key is stored. Leave this empty to keep it.";
  const safety = "Stored encrypted, and never shown again.";
  return PROVIDERS[provider].needs === "address"
    ? `${safety} Many local servers need none.`
    : `${safety} Empty for the key of the server's environment, if it has one.`;
};

const LIMITS: readonly FormPart[] = [
  {
    path: "context_limit",
    label: "Context, in tokens",
    error: "Enter a whole number of tokens, such as 200000.",
  },
  {
    row: [
      {
        path: "prices/input",
        label: "Dollars per million tokens read",
        control: "code",
        text: DOLLARS_TEXT,
      },
      {
        path: "prices/output",
        label: "Dollars per million tokens written",
        control: "code",
        text: DOLLARS_TEXT,
      },
    ],
  },
];

const DEFAULT: FormPart = {
  path: "is_default",
  label: "Use for new chats",
  hint: "Makes it the default model if its test succeeds. Each chat can use another model.",
  control: "checkbox",
};
