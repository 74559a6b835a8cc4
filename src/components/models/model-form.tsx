import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { EFFORTS } from "@/contract/efforts";
import {
  DEFAULT_COMPACT_AT,
  DEFAULT_WAIT_MINUTES,
  MAX_TEMPERATURE,
  MAX_WAIT_MINUTES,
  MIN_COMPACT_AT,
  MIN_OUTPUT_TOKENS,
} from "@/contract/limits";
import {
  type DiscoveredModel,
  type DiscoveredModels,
  type Model,
  ProviderName,
} from "@/contract/model";
import {
  CreateModelInput,
  type DiscoverModelsInput,
  UpdateModelInput,
} from "@/contract/model-inputs";
import { findNeededVariable, PROVIDERS } from "@/contract/providers";
import type { FormFrame } from "@/components/settings/editable-list";
import type { FormPart } from "@/components/schema-form/setting-fields";
import { SettingForm } from "@/components/schema-form/setting-form";
import { DOLLARS_TEXT } from "@/components/schema-form/text-formats";
import { pickChanges } from "@/components/schema-form/use-setting-draft";
import { ModelNameField } from "./model-name-field";
import { listProviderToolFields } from "./provider-tool-fields";
import { useModelList } from "./use-model-list";

type ModelFormProps = FormFrame & {
  /** The model that is changed; undefined for a new one. */
  model: Model | undefined;
  onCreate: (model: CreateModelInput) => void;
  onUpdate: (model: UpdateModelInput) => void;
  /** Asks a provider's server for its models. Does not reject. */
  onDiscover: (input: DiscoverModelsInput) => Promise<DiscoveredModels>;
};

/** Asks for what a model needs. */
const ModelForm = ({ model, onCreate, onUpdate, onDiscover, ...frame }: ModelFormProps) => {
  const list = useModelList(model, onDiscover);
  const before = model ? toStored(model) : UNKNOWN;
  const form = {
    ...frame,
    submitLabel: "Save and test",
    // The option for null is an empty text.
    stored: {
      ...(model ? before : { ...UNKNOWN, provider: "openai", is_default: true }),
      reads: model?.reads ?? "",
      reasoning_effort: model?.reasoning_effort ?? "",
    },
    parts: (get: Get) => listParts(get, { model, list }),
    suggest: (get: Get) => {
      const chosen = list.findChosen(get);
      return chosen ? toSuggestion(chosen, model) : {};
    },
  };
  const toInput = (values: JsonObject): JsonObject => {
    const isKnown = list.findChosen((path) => values[path]) !== undefined;
    // What was filled in and is removed is unknown; the server would fill it in again.
    return pickChanges(withPrices(values), model || !isKnown ? before : {});
  };
  return model ? (
    <SettingForm
      {...form}
      schema={UpdateModelInput}
      toInput={(values) => ({ ...toInput(values), model_id: model.id })}
      onSubmit={onUpdate}
    />
  ) : (
    <SettingForm {...form} schema={CreateModelInput} toInput={toInput} onSubmit={onCreate} />
  );
};
export default ModelForm;

type Get = (path: string) => JsonValue | undefined;

/** What the server looks up for a new model, unless something else is entered. */
const UNKNOWN = {
  tool_protocol: "native",
  reads: null,
  wait_minutes: null,
  max_output_tokens: null,
  reasoning_effort: null,
  temperature: null,
  compact_at: null,
  provider_tools: [],
  file_stores: [],
  context_limit: null,
  prices: null,
};

/** Fills in what is known of a model that was chosen from the list. A stored model that stays the same has its own. */
const toSuggestion = (chosen: DiscoveredModel, model: Model | undefined): object => {
  const { context_limit, tool_protocol, prices = null } = chosen;
  if (model?.model === chosen.model) return {};
  const facts = { context_limit, tool_protocol, prices };
  // The name of a stored model may be the person's own.
  return model ? facts : { ...facts, name: chosen.name };
};

const toStored = (model: Model) => ({
  ...model,
  base_url: model.access?.base_url ?? null,
  prices: model.prices ?? null,
  reads: model.reads ?? null,
  wait_minutes: model.wait_minutes ?? null,
  max_output_tokens: model.max_output_tokens ?? null,
  reasoning_effort: model.reasoning_effort ?? null,
  temperature: model.temperature ?? null,
  compact_at: model.compact_at ?? null,
  ...toStoredTools(model),
});

const toStoredTools = ({ provider_tools = [], access }: Model) => ({
  provider_tools,
  file_stores: access?.file_stores ?? [],
});

/** Prices that were not entered, or were removed, are none. */
const withPrices = ({ prices, ...values }: JsonObject): JsonObject => {
  const isPriced = isJsonObject(prices) && ("input" in prices || "output" in prices);
  return { ...values, prices: isPriced ? prices : null };
};

const EXAMPLE_URL = "http://127.0.0.1:11434/v1";

type PartsInput = { model: Model | undefined; list: ReturnType<typeof useModelList> };

const listParts = (get: Get, { model, list }: PartsInput): FormPart[] => {
  const provider = ProviderName.parse(get("provider"));
  const isNamed = model?.access?.source === "environment";
  const lock = model && findAccessLock(model);
  const chosen = list.findChosen(get);
  return [
    // The provider is chosen once.
    ...(model ? [] : [{ path: "provider", label: "Provider", names: PROVIDER_NAMES }]),
    ...(lock === undefined ? listAccess(provider, model) : [{ note: lock }]),
    ...(isNamed ? [] : [createModelField(get, { model, list })]),
    { path: "name", label: "Name", hint: `How people see it.${model ? "" : " Optional."}` },
    {
      path: "tool_protocol",
      label: "How it calls tools",
      hint: "Choose text for a model that cannot call tools or often fails to. The change applies from the next answer.",
      names: { native: "The provider's tool calls", xml: "As text in its answers (XML)" },
    },
    READS,
    {
      path: "wait_minutes",
      label: "Minutes to wait for the first part of an answer",
      hint: `${DEFAULT_WAIT_MINUTES} if it is empty. A small machine may take longer to load a model, or to read a long chat.`,
      error: `Enter a whole number from 1 to ${MAX_WAIT_MINUTES}.`,
    },
    ...listProviderToolFields(get, provider),
    createAnswers(model),
    createLimits(chosen, model),
    ...(model?.is_default ? [] : [DEFAULT]),
  ];
};

const createLimits = (chosen: DiscoveredModel | undefined, model: Model | undefined): FormPart => {
  const isFilled = chosen !== undefined && chosen.model !== model?.model;
  const origin = isFilled
    ? describeSource(chosen)
    : model
      ? ""
      : "Filled in for models that Parley knows. ";
  return {
    section: "Context and prices",
    note: `${origin}Without a context, long chats are not shortened in time. Without prices, no cost is shown.`,
    isOpen: isFilled,
    fields: LIMITS,
  };
};

const describeSource = ({ source, context_limit }: DiscoveredModel): string => {
  if (source) {
    return `Filled in from the table of ${source.date}, ${new URL(source.url).hostname}: change what is different for you. `;
  }
  return context_limit === null ? "" : "The context is what the server says. ";
};

/** Says why key and address of a model cannot be changed here; undefined if they can. */
const findAccessLock = ({ provider, access }: Model): string | undefined => {
  const { needs, title } = PROVIDERS[provider];
  if (needs === "nothing") return `${title} needs no key and no address.`;
  return access?.source === "environment" && usesEnvironment(access)
    ? `The key and the address come from the environment of the server (${findNeededVariable(provider)}). Change them there, and restart.`
    : undefined;
};

/** Whether key and address of the environment are there. */
const usesEnvironment = (access: Model["access"]): boolean =>
  access?.from_environment === true && access.problem === undefined;

/** What needs nothing is in every server already. */
const PROVIDER_NAMES = Object.fromEntries(
  Object.entries(PROVIDERS).flatMap(([name, { needs, label }]) =>
    needs === "nothing" ? [] : [[name, label]],
  ),
);

const createModelField = (get: Get, { model, list }: PartsInput): FormPart => {
  const { needs, label, exampleModel } = PROVIDERS[ProviderName.parse(get("provider"))];
  const listed = list.find(get);
  return {
    path: "model",
    label: "Model",
    missing: "Enter the provider's name of the model.",
    render: (control) => (
      <ModelNameField
        {...control}
        hint={`As ${needs === "address" ? "the server" : label} calls it, such as ${exampleModel}.`}
        autoFocus={model !== undefined}
        list={listed?.result}
        isListing={listed !== undefined && listed.result === undefined}
        onList={() => list.ask(get)}
      />
    ),
  };
};

const listAccess = (provider: ProviderName, model: Model | undefined): FormPart[] => {
  const isServer = PROVIDERS[provider].needs === "address";
  const isOptional = usesEnvironment(model?.access);
  const without = isServer
    ? "Many local servers need none."
    : "Empty for the key of the server's environment, if it has one.";
  const key: FormPart = {
    path: "api_key",
    label: "API key",
    hint:
      model?.access?.key === "settings"
        ? "A key is stored. Leave this empty to keep it."
        : `Stored encrypted, and never shown again. ${without}`,
    control: "secret",
    error: "Enter one word, without spaces.",
    autoFocus: model === undefined,
  };
  const address: FormPart = {
    path: "base_url",
    label: "Base URL",
    hint: isServer
      ? `The address of the server, such as ${EXAMPLE_URL} for Ollama.${isOptional ? " Empty for the address of the server's environment." : ""}`
      : "Only for a proxy or a gateway. Empty for the provider's own address.",
    control: "code",
    ...(isServer &&
      !isOptional && { missing: `Enter the address of the server, such as ${EXAMPLE_URL}.` }),
  };
  return isServer ? [address, key] : [key, address];
};

const PRICE = {
  control: "code",
  text: DOLLARS_TEXT,
  error: "Enter both prices, or none.",
} satisfies Partial<FormPart>;

const LIMITS: readonly FormPart[] = [
  {
    path: "context_limit",
    label: "Context, in tokens",
    error: "Enter a whole number of tokens, such as 200000.",
  },
  {
    path: "compact_at",
    label: "Sum up a chat when its context is full to, in percent",
    hint: `${DEFAULT_COMPACT_AT} if it is empty, 100 for never. The model writes the summary, and reads it in place of what came before.`,
    error: `Enter a whole number from ${MIN_COMPACT_AT} to 100.`,
  },
  {
    row: [
      { ...PRICE, path: "prices/input", label: "Dollars per million tokens read" },
      { ...PRICE, path: "prices/output", label: "Dollars per million tokens written" },
    ],
  },
];

const READS: FormPart = {
  path: "reads",
  label: "What it reads besides text",
  hint: "Of other files it gets the text, or the name. Without a choice, Parley goes by what it knows of the model, and by what the server of the model refuses.",
  names: {
    "": "What is known of it",
    text: "Nothing",
    images: "Images",
    images_and_pdfs: "Images and PDFs",
  },
};

/** Open where something is set. */
const createAnswers = (model: Model | undefined): FormPart => {
  const { reasoning_effort, temperature, max_output_tokens } = model ?? {};
  return {
    section: "Answers",
    note: "For chats and messages that choose nothing else.",
    isOpen: (reasoning_effort ?? temperature ?? max_output_tokens) !== undefined,
    fields: ANSWERS,
  };
};

const ANSWERS: readonly FormPart[] = [
  {
    path: "reasoning_effort",
    label: "Thinking",
    hint: "How much it thinks before it answers. More takes longer and costs more.",
    names: { "": "As the provider chooses", ...EFFORTS },
  },
  {
    path: "max_output_tokens",
    label: "Longest answer, in tokens",
    hint: "Also the highest that a chat can choose. If it is empty, what Parley knows of the model.",
    error: `Enter a whole number of tokens, from ${MIN_OUTPUT_TOKENS}, such as 32000.`,
  },
  {
    path: "temperature",
    label: "Temperature",
    hint: "Lower answers are more alike. Models that think often take none, and it is left out then.",
    error: `Enter a number from 0 to ${MAX_TEMPERATURE}, such as 0.7.`,
  },
];

const DEFAULT: FormPart = {
  path: "is_default",
  label: "Use for new chats",
  hint: "Makes it the default model if its test succeeds. Each chat can use another model.",
};
