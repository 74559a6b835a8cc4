import { ChevronDown } from "lucide-react";
import { importPart } from "@/lib/import-part";
import { PopupTrigger } from "@/components/ui/popup-trigger";
import type { Model } from "@/contract/model";

type ModelPickerProps = {
  models: readonly Model[];
  /** The id of the selected model; null for the default model. */
  value: string | null;
  onChange: (id: string) => void;
  disabled?: boolean;
};

const loadList = () => importPart(() => import("./open-model-picker"));

/** Selects the model of a chat. Its list, with search, loads when it is opened first. */
export const ModelPicker = ({ models, value, onChange, disabled = false }: ModelPickerProps) => {
  const enabled = models.filter((model) => model.enabled);
  const chosenId = value ?? models.find((model) => model.is_default)?.id ?? "";
  const chosen = enabled.find(({ id }) => id === chosenId);
  const trigger = (
    <button
      type="button"
      role="combobox"
      aria-label="Model"
      translate="no"
      disabled={disabled || enabled.length === 0}
      className="inline-flex h-9 max-w-full min-w-0 items-center gap-1.5 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:opacity-60 data-popup-open:bg-hover pointer-coarse:h-10"
    >
      <span className="min-w-0 truncate">
        {chosen?.name ?? formatUnavailable(models, chosenId)}
      </span>
      <ChevronDown aria-hidden size={14} className="shrink-0" />
    </button>
  );
  return (
    <PopupTrigger
      kind="combobox"
      trigger={trigger}
      load={loadList}
      popupProps={{ trigger, models: enabled, chosenId, onChange }}
    />
  );
};

const formatUnavailable = (models: readonly Model[], chosenId: string): string => {
  if (chosenId === "") return models.length === 0 ? "No models" : "Choose a model";
  return `${models.find(({ id }) => id === chosenId)?.name ?? "Model"} (no longer offered)`;
};
