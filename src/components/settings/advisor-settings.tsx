"use client";
import { AdvisorConfig, MAX_ADVISOR_OUTPUT_TOKENS, MAX_ADVISOR_USES } from "@/contract/advisor";
import { createModelField, isAvailable, type ModelChoice } from "./override-model-field";
import type { FormPart, SettingField } from "@/components/schema-form/setting-fields";
import { SettingPage, type SettingPageProps } from "./setting-page";

/** Edits the advisor settings: whether it is offered, its limits and its model. */
export const AdvisorSettings = (props: SettingPageProps<AdvisorConfig> & ModelChoice) => (
  <SettingPage
    {...props}
    title="Advisor"
    lead="A second model, which agents can ask for advice before they act."
    schema={AdvisorConfig}
    parts={(get) => [
      OFFER,
      ...(get("enabled") === true
        ? [createNumberRow(get("max_uses_per_run")), createModelField(MODEL_TEXTS, props)]
        : []),
    ]}
    toInput={(values) => clearUnavailableModel(values as AdvisorConfig, props.models)}
    check={({ max_uses_per_run: uses }, stored) =>
      uses < 0 && uses !== stored.max_uses_per_run
        ? [{ pointer: "/max_uses_per_run", message: USES_ERROR }]
        : []
    }
  />
);

/** Clears the model override if the advisor is off and the model is known to be unavailable. */
const clearUnavailableModel = (
  config: AdvisorConfig,
  models: ModelChoice["models"],
): AdvisorConfig => {
  if (config.enabled || models.state !== "ready") return config;
  return isAvailable(models.value, config.model_id) ? config : { ...config, model_id: null };
};

const NUMBERS = new Intl.NumberFormat("en");
const USES_ERROR = `Enter a whole number from 0 to ${NUMBERS.format(MAX_ADVISOR_USES)}.`;

const OFFER: SettingField = {
  path: "enabled",
  label: "Offer the advisor",
  hint: "In all chats except child chats.",
  control: "switch",
};

const createNumberRow = (uses: unknown): FormPart => ({
  row: [
    {
      path: "max_uses_per_run",
      label: "Uses per turn",
      hint: String(uses).startsWith("-")
        ? "With a negative number the advisor is never offered."
        : "Enter 0 for no limit.",
      error: USES_ERROR,
    },
    {
      path: "max_output_tokens",
      label: "Output tokens per advice",
      hint: "Enter 0 for the default of 16,384.",
      error: `Enter a whole number from 0 to ${NUMBERS.format(MAX_ADVISOR_OUTPUT_TOKENS)}.`,
    },
  ],
});

const MODEL_TEXTS = {
  none: "Use the chat’s model",
  hint: "Which model gives the advice.",
  unavailable:
    "This model is not available any more. Until you choose another, the chat’s model gives the advice.",
};
