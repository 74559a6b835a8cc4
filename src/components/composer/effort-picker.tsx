import { ChevronDown } from "lucide-react";
import { PopupTrigger } from "@/components/ui/popup-trigger";
import { type Effort, EFFORT_NAMES, EFFORTS, findNearestEffort } from "@/contract/efforts";
import type { Model } from "@/contract/model";
import { importPart } from "@/lib/import-part";
import { PICKER_BUTTON } from "./picker-button";

type EffortPickerProps = {
  model: Pick<Model, "reasoning_effort" | "reasoning_efforts"> | undefined;
  /** What was chosen, also for another model; null for what the model does by itself. */
  value: Effort | null;
  onChange: (effort: Effort | null) => void;
  disabled?: boolean | undefined;
};

const loadMenu = () => importPart(() => import("./open-effort-menu"));

/** Chooses how much the model thinks; nothing for a model that does not think. Its menu loads when it is opened first. */
export const EffortPicker = ({ model, value, onChange, disabled = false }: EffortPickerProps) => {
  const efforts = model?.reasoning_efforts ?? EFFORT_NAMES;
  if (efforts.length === 0) return null;
  const chosen = value === null ? undefined : findNearestEffort(value, efforts);
  const used = chosen ?? model?.reasoning_effort;
  const name = used && EFFORTS[used].toLowerCase();
  // Until the models are loaded, it keeps its place.
  const trigger = createTrigger(name, disabled || !model);
  return (
    <PopupTrigger
      kind="menu"
      trigger={trigger}
      load={loadMenu}
      popupProps={{ trigger, efforts, chosen, onChange }}
    />
  );
};

const createTrigger = (name: string | undefined, disabled: boolean) => (
  <button
    type="button"
    aria-label={name ? `Thinking: ${name}` : "Thinking"}
    disabled={disabled}
    className={PICKER_BUTTON}
  >
    <span>
      <span className={name && "max-sm:hidden"}>Thinking</span>
      {name && (
        <>
          <span className="max-sm:hidden">: </span>
          {name}
        </>
      )}
    </span>
    <ChevronDown aria-hidden size={14} className="shrink-0" />
  </button>
);
