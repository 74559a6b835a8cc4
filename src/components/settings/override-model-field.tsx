import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import type { Model } from "@/contract/model";
import type { Loadable } from "./loaded";
import type { CustomControl } from "./setting-fields";

type ModelFieldTexts = {
  /** The option without a model of its own. */
  none: string;
  hint: string;
  /** The hint while the chosen model is not available. */
  unavailable: string;
};

type OverrideModelFieldProps = CustomControl & {
  texts: ModelFieldTexts;
  models: Loadable<readonly Model[]>;
  onReloadModels: () => void;
};

/** Asks for a model that is used in place of another one. */
export const OverrideModelField = (props: OverrideModelFieldProps) => {
  const { texts, models, onChange, onReloadModels, error } = props;
  // Null means no model of its own.
  const value = typeof props.value === "string" ? props.value : null;
  const loadedModels = models.state === "ready" ? models.value : [];
  const isUnavailable =
    value !== null && models.state === "ready" && !isAvailable(loadedModels, value);
  const options = [
    { value: "", label: texts.none },
    ...loadedModels
      .filter((model) => model.enabled)
      .map((model) => ({ value: model.id, label: model.name })),
    ...(value !== null && !isAvailable(loadedModels, value)
      ? [{ value, label: toUnavailableLabel(models, value) }]
      : []),
  ];
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <Select
          label="Model"
          options={options}
          value={value ?? ""}
          disabled={models.state === "loading"}
          aria-busy={models.state === "loading"}
          onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
          hint={isUnavailable ? texts.unavailable : texts.hint}
          error={error ?? (models.state === "failed" ? LOAD_ERROR : undefined)}
        />
      </div>
      {models.state === "failed" && (
        <Button size="sm" icon={<RotateCw aria-hidden size={14} />} onClick={onReloadModels}>
          Load models again
        </Button>
      )}
    </div>
  );
};

const LOAD_ERROR = "The list of models could not be loaded.";

export const isAvailable = (models: readonly Model[], id: string | null): boolean =>
  models.some((model) => model.id === id && model.enabled);

/** Returns the label of a selected model that is not among the available ones. */
const toUnavailableLabel = (models: Loadable<readonly Model[]>, id: string): string => {
  switch (models.state) {
    case "loading":
      return "Loading models…";
    case "failed":
      return id;
    case "ready":
      return `${models.value.find((model) => model.id === id)?.name ?? id} (not available)`;
  }
};
