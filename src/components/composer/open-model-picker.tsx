"use client";
import { Combobox as Base } from "@base-ui/react/combobox";
import type { ReactElement } from "react";
import type { OpenedPopup } from "@/components/ui/popup-trigger";
import { containsWords, SearchItem, SearchPopup } from "@/components/ui/search-popup";
import type { Model } from "@/contract/model";
import { ABILITIES, PROVIDERS } from "@/contract/providers";
import { formatPrices, formatTokens } from "@/lib/format";

type ModelListProps = {
  trigger: ReactElement;
  models: readonly Model[];
  chosenId: string;
  onChange: (id: string) => void;
};

/** A list of models to search, which is open at first, and its button. */
const OpenModelPicker = (props: ModelListProps & OpenedPopup) => {
  const { trigger, models, chosenId, onChange, buttonRef, popupRef, findFinalFocus } = props;
  return (
    <Base.Root
      defaultOpen
      autoHighlight
      items={models}
      value={models.find(({ id }) => id === chosenId) ?? null}
      onValueChange={(model) => model && onChange(model.id)}
      itemToStringLabel={({ name }) => name}
      isItemEqualToValue={(model, other) => model.id === other.id}
      filter={(model, query) =>
        containsWords(`${model.name} ${model.model} ${describeModel(model)}`, query)
      }
    >
      <Base.Trigger ref={buttonRef} render={trigger} />
      <SearchPopup
        ref={popupRef}
        label="Models"
        empty="No model fits."
        side="top"
        align="end"
        finalFocus={findFinalFocus}
      >
        {(model: Model) => (
          <SearchItem
            key={model.id}
            value={model}
            title={model.name}
            detail={describeModel(model)}
            mark={
              model.is_default && (
                <span className="mt-0.5 shrink-0 text-xs text-muted">Default</span>
              )
            }
          />
        )}
      </SearchPopup>
    </Base.Root>
  );
};

export default OpenModelPicker;

/** What a person chooses a model by: who offers it, what it can do, and what it costs. */
const describeModel = (model: Model): string => {
  const { provider, context_limit, abilities = [], tool_protocol, prices } = model;
  const asText = tool_protocol === "xml";
  return [
    PROVIDERS[provider].label,
    context_limit === null ? [] : `${formatTokens(context_limit)} tokens of context`,
    asText ? "calls tools as text" : [],
    abilities.filter((name) => name !== "tools" || !asText).map((name) => ABILITIES[name]),
    prices ? formatPrices(prices) : [],
  ]
    .flat()
    .join(" · ");
};
