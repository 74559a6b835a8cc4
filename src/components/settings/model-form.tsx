import { useFormFields } from "@/components/ui/use-form-fields";
import { Checkbox } from "@/components/ui/checkbox";
import { CODE_INPUT } from "@/components/ui/code-input";
import { Select } from "@/components/ui/select";
import { TextField } from "@/components/ui/text-field";
import { type Model, ProviderName, ToolProtocol } from "@/contract/model";
import type { Problem } from "@/contract/problem";
import { PROVIDERS } from "@/contract/providers";
import { findAccessLock } from "./model-access";
import { type ModelDraft, toModelDraft, validateModelDraft } from "./model-draft";
import { SettingsForm } from "./settings-form";

type ModelFormProps = {
  /** The model that is changed; undefined for a new one. */
  model: Model | undefined;
  onSubmit: (draft: ModelDraft) => void;
  onCancel: () => void;
  isBusy: boolean;
  /** Why the last attempt failed; errors at the names of the input appear at the fields. */
  problem: Problem | undefined;
};

/** What needs nothing is in every server already. */
const PROVIDER_OPTIONS = ProviderName.options
  .filter((provider) => PROVIDERS[provider].needs !== "nothing")
  .map((provider) => ({ value: provider, label: PROVIDERS[provider].label }));

const PROTOCOL_OPTIONS: { value: ToolProtocol; label: string }[] = [
  { value: "native", label: "The provider's tool calls" },
  { value: "xml", label: "XML in its answers" },
];

/** Asks for what a model needs. */
export const ModelForm = ({ model, onSubmit, onCancel, isBusy, problem }: ModelFormProps) => {
  const { formRef, handleSubmit, values, change, textField } = useFormFields({
    initial: toModelDraft(model),
    validate: validateModelDraft,
    isBusy,
    problem,
    onSubmit,
  });
  const lock = model && findAccessLock(model);
  return (
    <SettingsForm
      ref={formRef}
      onSubmit={handleSubmit}
      label={model ? `Edit ${model.name}` : "New model"}
      submitLabel="Save and test"
      onCancel={onCancel}
      isBusy={isBusy}
      problem={problem}
      problemTitle="The model was not saved"
    >
      <IdentityFields
        provider={values.provider}
        onProviderChange={(provider) => change("provider", provider)}
        model={model}
        textField={textField}
      />
      {lock === undefined ? (
        <AccessFields provider={values.provider} model={model} textField={textField} />
      ) : (
        <p className="text-muted">{lock}</p>
      )}
      <TextField
        label="Name"
        hint={model ? "How people see it." : "How people see it. Optional."}
        autoComplete="off"
        {...textField("name")}
      />
      <ProtocolField value={values.tool_protocol} onChange={change} />
      <LimitFields isNew={!model} textField={textField} />
      {!model?.is_default && (
        <Checkbox
          label="Use for new chats"
          hint="Makes it the default model if its test succeeds. Each chat can use another model."
          checked={values.is_default === "yes"}
          onChange={({ target }) => change("is_default", target.checked ? "yes" : "no")}
        />
      )}
    </SettingsForm>
  );
};

type TextFieldOf = ReturnType<typeof useFormFields<ModelDraft>>["textField"];

type IdentityFieldsProps = AccessFieldsProps & {
  onProviderChange: (provider: ProviderName) => void;
};

/** The provider is chosen once; what the environment names is not changed here. */
const IdentityFields = (props: IdentityFieldsProps) => {
  const { provider, onProviderChange, model, textField } = props;
  return (
    <>
      {!model && (
        <Select
          label="Provider"
          options={PROVIDER_OPTIONS}
          value={provider}
          onChange={({ target }) => onProviderChange(ProviderName.parse(target.value))}
        />
      )}
      {model?.access?.source !== "environment" && (
        <TextField
          label="Model"
          hint={createModelHint(provider)}
          {...CODE_INPUT}
          autoFocus
          {...textField("model")}
        />
      )}
    </>
  );
};

const createModelHint = (provider: ProviderName): string => {
  const { needs, label, exampleModel } = PROVIDERS[provider];
  const owner = needs === "address" ? "the server" : label;
  return `As ${owner} calls it, such as ${exampleModel}.`;
};

type AccessFieldsProps = {
  provider: ProviderName;
  model: Model | undefined;
  textField: TextFieldOf;
};

const AccessFields = ({ provider, model, textField }: AccessFieldsProps) => (
  <>
    <TextField
      label="API key"
      hint={createKeyHint(provider, model)}
      type="password"
      {...CODE_INPUT}
      {...textField("api_key")}
    />
    <TextField
      label="Base URL"
      hint={
        PROVIDERS[provider].needs === "address"
          ? "The address of the server, such as http://127.0.0.1:11434/v1 for Ollama."
          : "Only for a proxy or a gateway. Empty for the provider's own address."
      }
      inputMode="url"
      {...CODE_INPUT}
      {...textField("base_url")}
    />
  </>
);

type ProtocolFieldProps = {
  value: ToolProtocol;
  onChange: (field: "tool_protocol", protocol: ToolProtocol) => void;
};

const ProtocolField = ({ value, onChange }: ProtocolFieldProps) => (
  <Select
    label="How it calls tools"
    hint="Choose XML for a model that cannot call tools or often fails to. The change applies from the next answer."
    options={PROTOCOL_OPTIONS}
    value={value}
    onChange={({ target }) => onChange("tool_protocol", ToolProtocol.parse(target.value))}
  />
);

const createKeyHint = (provider: ProviderName, model: Model | undefined): string => {
  if (model?.access?.key === "settings") return "A key is stored. Leave this empty to keep it.";
  const safety = "Stored encrypted, and never shown again.";
  return PROVIDERS[provider].needs === "address"
    ? `${safety} Many local servers need none.`
    : `${safety} Empty for the key of the server's environment, if it has one.`;
};

const LIMITS = ["context_limit", "prices/input", "prices/output"] as const;

const LimitFields = ({ isNew, textField }: { isNew: boolean; textField: TextFieldOf }) => (
  // An error in it must be visible.
  <details
    open={LIMITS.some((field) => textField(field).error)}
    className="rounded-md border bg-bg"
  >
    <summary className="cursor-pointer px-3 py-2 font-medium">Context and prices</summary>
    <div className="grid gap-4 p-3 pt-1">
      <p className="text-muted">
        {isNew && "Filled in for models that Parley knows. "}
        Without a context, long chats are not shortened in time. Without prices, no cost is shown.
      </p>
      <TextField
        label="Context, in tokens"
        inputMode="numeric"
        autoComplete="off"
        {...textField("context_limit")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Dollars per million tokens read"
          inputMode="decimal"
          autoComplete="off"
          {...textField("prices/input")}
        />
        <TextField
          label="Dollars per million tokens written"
          inputMode="decimal"
          autoComplete="off"
          {...textField("prices/output")}
        />
      </div>
    </div>
  </details>
);
