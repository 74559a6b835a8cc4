import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import type { Model } from "@/contract/model";
import { isOffered } from "./advisor-draft";
import type { Loaded } from "./loaded";

type OverrideModelFieldProps = {
  models: Loaded<readonly Model[]>;
  /** Null is the chat's own model. */
  value: string | null;
  onChange: (modelId: string | null) => void;
  onReloadModels: () => void;
  error: string | undefined;
};

export const OverrideModelField = (props: OverrideModelFieldProps) => {
  const { models, value, onChange, onReloadModels, error } = props;
  const known = models.state === "ready" ? models.value : [];
  const isGone = value !== null && models.state === "ready" && !isOffered(known, value);
  const options = [
    { value: "", label: "Use the chat’s model" },
    ...known
      .filter((model) => model.enabled)
      .map((model) => ({ value: model.id, label: model.name })),
    ...(value !== null && !isOffered(known, value)
      ? [{ value, label: otherLabel(models, value) }]
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
          hint={isGone ? GONE : HINT}
          error={error ?? (models.state === "failed" ? FAILED : undefined)}
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
const GONE =
  "This model is not available any more. Until you choose another, the chat’s model gives the advice.";
const FAILED = "The list of models could not be loaded.";

/** What is selected and not in the list of models that may be chosen. */
const otherLabel = (models: Loaded<readonly Model[]>, id: string): string => {
  switch (models.state) {
    case "loading":
      return "Loading models…";
    case "failed":
      return id;
    case "ready":
      return `${models.value.find((model) => model.id === id)?.name ?? id} (not available)`;
  }
};
