"use client";
import type { ComponentProps, ReactElement } from "react";
import OpenPopover from "@/components/ui/open-popover";
import type { OpenedPopup } from "@/components/ui/popup-trigger";
import { RadioGroup } from "@/components/ui/radio-group";
import { Switch } from "@/components/ui/switch";
import { TextField } from "@/components/ui/text-field";
import { EFFORT_NAMES, EFFORTS } from "@/contract/efforts";
import { MAX_OUTPUT_TOKENS, MAX_TEMPERATURE, MIN_OUTPUT_TOKENS } from "@/contract/limits";
import type { Model } from "@/contract/model";
import type { ProviderToolName } from "@/contract/provider-tool";
import { PROVIDER_TOOLS, PROVIDERS } from "@/contract/providers";
import { type AnswerSettingsProps, findChosenEffort, listTools } from "./answer-choice";
import { useNumberEntry } from "./use-number-entry";

/** The settings of answers, which are open at first, and their button. */
const OpenAnswerSettings = (
  props: AnswerSettingsProps & OpenedPopup & { trigger: ReactElement },
) => {
  const { model, chosen, onChange, ...popup } = props;
  const temperature = useNumberEntry(chosen.temperature, {
    minimum: 0,
    maximum: MAX_TEMPERATURE,
    onChange: (next) => onChange({ temperature: next }),
  });
  const longest = useNumberEntry(chosen.max_output_tokens, {
    isWhole: true,
    minimum: MIN_OUTPUT_TOKENS,
    maximum: MAX_OUTPUT_TOKENS,
    onChange: (next) => onChange({ max_output_tokens: next }),
  });
  const saveEntries = (open: boolean): void => {
    if (!open) [temperature, longest].forEach(({ finish }) => finish());
  };
  return (
    <OpenPopover {...popup} title="Answers in this chat" onOpenChange={saveEntries}>
      <div className="flex flex-col gap-4">
        {model && <Thinking {...props} model={model} />}
        {model?.provider_tools && (
          <ProviderTools {...props} model={model} tools={model.provider_tools} />
        )}
        <NumberField
          label="Longest answer, in tokens"
          inputMode="numeric"
          default={model?.max_output_tokens}
          entry={longest}
          mistake={`Enter a whole number of tokens, from ${MIN_OUTPUT_TOKENS}, such as 32000.`}
        />
        <NumberField
          label="Temperature"
          hint="Lower answers are more alike. Left out where the model takes none."
          inputMode="decimal"
          default={model?.temperature}
          entry={temperature}
          mistake={`Enter a number from 0 to ${MAX_TEMPERATURE}, such as 0.7.`}
        />
      </div>
    </OpenPopover>
  );
};

export default OpenAnswerSettings;

type NumberFieldProps = Pick<ComponentProps<typeof TextField>, "label" | "hint" | "inputMode"> & {
  /** What counts without an entry, if that is known. */
  default: number | undefined;
  entry: ReturnType<typeof useNumberEntry>;
  /** What to enter instead of what was refused. */
  mistake: string;
};

const NumberField = ({ default: known, entry, mistake, ...field }: NumberFieldProps) => (
  <TextField
    {...field}
    {...entry.input}
    placeholder={known?.toString() ?? "As the model has it"}
    error={entry.isRefused ? mistake : undefined}
  />
);

const BY_ITSELF = "default";

const Thinking = (props: AnswerSettingsProps & { model: Model }) => {
  const { model, chosen, onChange } = props;
  const efforts = model.reasoning_efforts ?? EFFORT_NAMES;
  if (efforts.length === 0) return null;
  const named = EFFORT_NAMES.filter((name) => efforts.includes(name));
  return (
    <RadioGroup
      label="How much the model thinks"
      options={[
        { value: BY_ITSELF, label: "As it does by itself" },
        ...named.map((value) => ({ value, label: EFFORTS[value] })),
      ]}
      value={findChosenEffort(model, chosen) ?? BY_ITSELF}
      onChange={(next) => onChange({ reasoning_effort: next === BY_ITSELF ? null : next })}
    />
  );
};

const ProviderTools = (
  props: AnswerSettingsProps & { model: Model; tools: ProviderToolName[] },
) => {
  const { model, tools, chosen, onChange } = props;
  const on = listTools(tools, chosen);
  const toggle = (name: ProviderToolName, isOn: boolean): void => {
    const next = tools.filter((other) => (other === name ? isOn : on.includes(other)));
    // All of them are no choice, so that it has those that are added later.
    onChange({ provider_tools: next.length === tools.length ? null : next });
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">
        Run by {PROVIDERS[model.provider].title}
      </legend>
      {tools.map((name) => (
        <Switch
          key={name}
          label={PROVIDER_TOOLS[name]}
          checked={on.includes(name)}
          onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
        />
      ))}
    </fieldset>
  );
};
