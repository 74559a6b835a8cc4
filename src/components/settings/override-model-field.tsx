import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import type { Model } from "@/contract/model";
import { isAvailable } from "./advisor-draft";
import type { Loadable } from "./loaded";

type OverrideModelFieldProps = {
  models: Loadable<readonly Model[]>;
  /** Null means the chat's own model. */
  value: string | null;
  onChange: (modelId: string | null) => void;
  onReloadModels: () => void;
  error: string | undefined;
};

export const OverrideModelField = (props: OverrideModelFieldProps) => {
  const { models, value, onChange, onReloadModels, error } = props;
  const loadedModels = models.state === "ready" ? models.value : [];
  const isUnavailable =
    value !== null && models.state === "ready" && !isAvailable(loadedModels, value);
  const options = [
    { value: "", label: "Use the chat’s model" },
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
          hint={isUnavailable ? UNAVAILABLE_HINT : HINT}
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

const HINT = "Which model gives the advice.";
const UNAVAILABLE_HINT =
  "This model is not available any more. Until you choose another, the chat’s model gives the advice.";
const LOAD_ERROR = "The list of models could not be loaded.";

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
