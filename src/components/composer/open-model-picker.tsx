"use client";
import { Combobox as Base } from "@base-ui/react/combobox";
import { Check, Search } from "lucide-react";
import type { ReactElement } from "react";
import { isTouchDevice } from "@/components/ui/text-focus";
import type { OpenedPopup } from "@/components/ui/popup-trigger";
import type { Model, ModelPrices } from "@/contract/model";
import { PROVIDERS } from "@/contract/providers";
import { formatCost, formatTokens } from "@/lib/format";

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
      filter={matches}
    >
      <Base.Trigger ref={buttonRef} render={trigger} />
      <Base.Portal>
        <Base.Positioner side="top" align="end" sideOffset={6} className="z-50 outline-none">
          <Base.Popup
            ref={popupRef}
            aria-label="Models"
            // The on-screen keyboard would cover the models.
            initialFocus={() => !isTouchDevice()}
            finalFocus={findFinalFocus}
            className="flex max-h-[min(24rem,var(--available-height))] w-80 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-lg border border-border bg-raised text-text shadow-popup outline-none"
          >
            <div className="flex shrink-0 items-center gap-2 border-b px-3 text-muted">
              <Search aria-hidden size={15} className="shrink-0" />
              <Base.Input
                aria-label="Search models"
                placeholder="Search models"
                className="h-10 min-w-0 flex-1 bg-transparent text-sm text-text outline-none pointer-coarse:text-base"
              />
            </div>
            <Base.Empty className="px-3 py-3 text-sm text-muted empty:hidden">
              No model fits.
            </Base.Empty>
            <Base.List
              aria-label="Models"
              className="min-h-0 overflow-y-auto overscroll-contain p-1 empty:hidden"
            >
              {(model: Model) => <ModelItem key={model.id} model={model} />}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};

export default OpenModelPicker;

const ModelItem = ({ model }: { model: Model }) => (
  <Base.Item
    value={model}
    className="flex cursor-default items-start gap-2 rounded-sm px-2 py-1.5 text-sm outline-none select-none data-highlighted:bg-hover pointer-coarse:py-3"
  >
    <span className="mt-0.5 flex size-4 shrink-0 text-accent">
      <Base.ItemIndicator>
        <Check aria-hidden size={16} />
      </Base.ItemIndicator>
    </span>
    <span className="grid min-w-0 flex-1">
      <span translate="no" className="font-medium wrap-anywhere">
        {model.name}
      </span>
      <span className="text-xs text-pretty text-muted">{describeModel(model)}</span>
    </span>
    {model.is_default && <span className="mt-0.5 shrink-0 text-xs text-muted">Default</span>}
  </Base.Item>
);

/** What a person chooses a model by: who offers it, what it can do, and what it costs. */
const describeModel = ({ provider, context_limit, tool_protocol, prices }: Model): string =>
  [
    PROVIDERS[provider].label,
    context_limit !== null && `${formatTokens(context_limit)} tokens of context`,
    tool_protocol === "xml" && "calls tools as text",
    prices && describePrices(prices),
  ]
    .filter((part) => typeof part === "string")
    .join(" · ");

const describePrices = ({ input, output }: ModelPrices): string =>
  input + output === 0
    ? "free"
    : `${formatCost(input)} in, ${formatCost(output)} out per million tokens`;

/** Each word must be a part of the name, the identifier or the provider. */
const matches = ({ name, model, provider }: Model, query: string): boolean => {
  const text = `${name} ${model} ${PROVIDERS[provider].label}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
