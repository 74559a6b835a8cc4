import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import type { Model } from "@/contract/model";
import type { Loadable } from "@/components/ui/loaded";
import type { CustomControl, SettingField } from "@/components/schema-form/setting-fields";

type ModelFieldTexts = {
  /** The option without a model of its own. */
  none: string;
  hint: string;
  /** The hint while the chosen model is not available. */
  unavailable: string;
};

/** The models to select from. */
export type ModelChoice = { models: Loadable<readonly Model[]>; onReloadModels: () => void };

/** Creates the field of a model that is used in place of another one; null means no such model. */
export const createModelField = (texts: ModelFieldTexts, choice: ModelChoice): SettingField => ({
  path: "model_id",
  label: "Model",
  render: (control) => <OverrideModelField {...choice} {...control} texts={texts} />,
});

type OverrideModelFieldProps = CustomControl & ModelChoice & { texts: ModelFieldTexts };

export const OverrideModelField = (props: OverrideModelFieldProps) => {
  const { texts, models, onChange, onReloadModels, error } = props;
  const value = typeof props.value === "string" ? props.value : "";
  const known = models.state === "ready" ? models.value : [];
  const isMissing = value !== "" && !isAvailable(known, value);
  const options = [
    { value: "", label: texts.none },
    ...known.filter(({ enabled }) => enabled).map(({ id, name }) => ({ value: id, label: name })),
    ...(isMissing ? [{ value, label: describeMissing(models, value) }] : []),
  ];
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <Select
          label="Model"
          options={options}
          value={value}
          disabled={models.state === "loading"}
          aria-busy={models.state === "loading"}
          onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
          hint={isMissing && models.state === "ready" ? texts.unavailable : texts.hint}
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

/** Describes a selected model that is not among the available ones. */
const describeMissing = (models: Loadable<readonly Model[]>, id: string): string => {
  if (models.state === "loading") return "Loading models…";
  if (models.state === "failed") return id;
  return `${models.value.find((model) => model.id === id)?.name ?? id} (not available)`;
};
