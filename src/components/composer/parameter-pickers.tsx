import { lazyParts } from "@/components/ui/lazy-parts";
import type { Model } from "@/contract/model";
import type { ParametersChange } from "@/contract/parameters";
import { EffortPicker } from "./effort-picker";

type Parameters = Pick<ParametersChange, "reasoning_effort" | "provider_tools">;

type ParameterPickersProps = {
  model: Model | undefined;
  /** What was chosen, also for another model. */
  chosen: Parameters;
  onChange: (changed: Parameters) => void;
  disabled?: boolean;
};

const ProviderTools = lazyParts(() => import("./provider-tools"));

/** Chooses how the model is called: how much it thinks, and which tools its provider runs, where it has some. */
export const ParameterPickers = (props: ParameterPickersProps) => {
  const { model, chosen, onChange, disabled } = props;
  return (
    <>
      <EffortPicker
        model={model}
        value={chosen.reasoning_effort ?? null}
        onChange={(reasoning_effort) => onChange({ reasoning_effort })}
        disabled={disabled}
      />
      {model?.provider_tools && (
        <ProviderTools
          provider={model.provider}
          tools={model.provider_tools}
          value={chosen.provider_tools ?? null}
          onChange={(provider_tools) => onChange({ provider_tools })}
          disabled={disabled}
        />
      )}
    </>
  );
};
