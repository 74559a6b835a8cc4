import { ChevronDown } from "lucide-react";
import { PopupTrigger } from "@/components/ui/popup-trigger";
import { EFFORTS } from "@/contract/efforts";
import type { ProviderToolName } from "@/contract/provider-tool";
import { importPart } from "@/lib/import-part";
import { type AnswerSettingsProps, findChosenEffort, listTools } from "./answer-choice";
import { PICKER_BUTTON } from "./picker-button";

const loadSettings = () => importPart(() => import("./open-answer-settings"));

/** How the model is called: how much it thinks, its limits, and the tools that its provider runs. Loads when it is opened. */
export const AnswerSettings = (props: AnswerSettingsProps) => {
  const { model, chosen, disabled = false } = props;
  const thinks = model?.reasoning_efforts?.length !== 0;
  const used = model && thinks && (findChosenEffort(model, chosen) ?? model.reasoning_effort);
  const trigger = createTrigger({
    thinks,
    effort: used ? EFFORTS[used].toLowerCase() : "",
    tools: listTools(model?.provider_tools ?? [], chosen),
    disabled: disabled || !model,
  });
  return (
    <PopupTrigger
      kind="dialog"
      trigger={trigger}
      load={loadSettings}
      popupProps={{ ...props, trigger }}
    />
  );
};

type TriggerState = {
  thinks: boolean;
  /** Empty without a choice. */
  effort: string;
  tools: readonly ProviderToolName[];
  disabled: boolean;
};

const createTrigger = ({ thinks, effort, tools, disabled }: TriggerState) => {
  const title = thinks ? "Thinking" : "Answers";
  const label = (effort ? `${title}: ${effort}` : title) + describeTools(tools);
  return (
    <button type="button" aria-label={label} disabled={disabled} className={PICKER_BUTTON}>
      <span className="max-sm:hidden">{label}</span>
      <span className="sm:hidden">{effort || title}</span>
      <ChevronDown aria-hidden size={14} className="shrink-0" />
    </button>
  );
};

/** The table of the tools' names is larger than the button. */
const describeTools = ([first, ...others]: readonly ProviderToolName[]): string => {
  if (first === undefined) return "";
  return others.length > 0 ? `, ${others.length + 1} tools` : `, ${first.replace("_", " ")}`;
};
