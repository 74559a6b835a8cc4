import { ChevronDown } from "lucide-react";
import { useId } from "react";
import type { Model } from "@/contract/model";
import { PROVIDERS } from "@/contract/providers";

type ModelPickerProps = {
  models: readonly Model[];
  /** The id of the selected model; null for the default model. */
  value: string | null;
  onChange: (id: string) => void;
  disabled?: boolean;
};

/** Selects the model of a chat; part of the composer. */
export const ModelPicker = ({ models, value, onChange, disabled = false }: ModelPickerProps) => {
  const id = useId();
  const enabled = models.filter((model) => model.enabled);
  const chosen = value ?? models.find((model) => model.is_default)?.id ?? "";
  const isUnavailable = !enabled.some((model) => model.id === chosen);
  const providers = [...new Set(enabled.map((model) => model.provider))];
  return (
    <span className="relative inline-flex max-w-full min-w-0 items-center">
      <label htmlFor={id} className="sr-only">
        Model
      </label>
      <select
        id={id}
        value={chosen}
        translate="no"
        disabled={disabled || enabled.length === 0}
        onChange={({ target }) => onChange(target.value)}
        className="h-8 max-w-full min-w-0 appearance-none truncate rounded-md bg-transparent pr-7 pl-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:opacity-60 pointer-coarse:h-10"
      >
        {isUnavailable && (
          <option value={chosen} disabled>
            {formatUnavailable(models, chosen)}
          </option>
        )}
        {providers.length === 1
          ? enabled.map((model) => <ModelOption key={model.id} model={model} />)
          : providers.map((provider) => (
              <optgroup key={provider} label={PROVIDERS[provider].label}>
                {enabled
                  .filter((model) => model.provider === provider)
                  .map((model) => (
                    <ModelOption key={model.id} model={model} />
                  ))}
              </optgroup>
            ))}
      </select>
      <ChevronDown
        aria-hidden
        size={14}
        className="pointer-events-none absolute right-2 text-muted"
      />
    </span>
  );
};

const ModelOption = ({ model }: { model: Model }) => <option value={model.id}>{model.name}</option>;

const formatUnavailable = (models: readonly Model[], chosen: string): string => {
  if (chosen === "") return models.length === 0 ? "No models" : "Choose a model";
  return `${models.find((model) => model.id === chosen)?.name ?? "Model"} (no longer offered)`;
};
