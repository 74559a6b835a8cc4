import { Combobox as Base } from "@base-ui/react/combobox";
import { clsx } from "clsx";
import { type RefObject, useRef, useState } from "react";
import type { CustomControl } from "@/components/schema-form/setting-fields";
import { Button } from "@/components/ui/button";
import { CODE_INPUT } from "@/components/ui/code-input";
import { containsWords, SearchItem, SearchPopup } from "@/components/ui/search-popup";
import { TextField } from "@/components/ui/text-field";
import type { DiscoveredModel, DiscoveredModels } from "@/contract/model";
import { describeModel, ModelFacts } from "./model-facts";

type ModelNameFieldProps = CustomControl & {
  hint: string;
  autoFocus?: boolean;
  /** What the server has answered; undefined before it was asked as it is entered now. */
  list: DiscoveredModels | undefined;
  isListing: boolean;
  /** Asks the server. @returns whether there is something to choose. Does not reject. */
  onList: () => Promise<boolean>;
};

/** Asks for the id of a model: it is typed, or chosen from the list of the server. */
export const ModelNameField = (props: ModelNameFieldProps) => {
  const { hint, error, autoFocus = false, list, isListing, onList, onChange } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const value = typeof props.value === "string" ? props.value : "";
  const models = list?.data ?? [];
  const chosen = models.find(({ model }) => model === value.trim());
  return (
    <div className="grid grid-cols-1 gap-2">
      <TextField
        {...CODE_INPUT}
        label="Model"
        hint={hint}
        error={error}
        autoFocus={autoFocus}
        value={value}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          ref={button}
          size="sm"
          aria-haspopup="dialog"
          isBusy={isListing}
          onClick={() => {
            onList().then(setOpen).catch(reportError);
          }}
        >
          List models
        </Button>
        {/* It is there before it says something, so that it is announced. */}
        <div role="status" className="min-w-0 text-note">
          {list && !isListing && <ListOutcome list={list} />}
        </div>
      </div>
      {chosen && <ModelFacts model={chosen} />}
      <ModelPopup
        anchor={button}
        models={models}
        chosen={chosen}
        open={isOpen}
        onOpenChange={setOpen}
        onChange={onChange}
      />
    </div>
  );
};

type ModelPopupProps = {
  /** Below it the list opens, and it has the focus again when the list closes. */
  anchor: RefObject<HTMLButtonElement | null>;
  models: readonly DiscoveredModel[];
  chosen: DiscoveredModel | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onChange: (id: string) => void;
};

const ModelPopup = (props: ModelPopupProps) => {
  const { anchor, models, chosen, open, onOpenChange, onChange } = props;
  return (
    <Base.Root
      autoHighlight
      open={open}
      onOpenChange={(next) => onOpenChange(next)}
      items={models}
      value={chosen ?? null}
      onValueChange={(model) => model && onChange(model.model)}
      itemToStringLabel={({ model }) => model}
      isItemEqualToValue={({ model }, other) => model === other.model}
      filter={({ model, name }, query) => containsWords(`${model} ${name}`, query)}
    >
      <SearchPopup
        anchor={anchor}
        align="start"
        label="Models"
        empty="No model fits."
        finalFocus={anchor}
      >
        {(model: DiscoveredModel) => (
          <SearchItem
            key={model.model}
            value={model}
            title={model.model}
            detail={describeModel(model)}
          />
        )}
      </SearchPopup>
    </Base.Root>
  );
};

/** Says how many models there are, or why there is no list. */
const ListOutcome = ({ list }: { list: DiscoveredModels }) => (
  <p className={clsx("break-words", list.ok ? "text-muted" : "text-danger")}>
    {list.message}
    {list.detail !== undefined && ` ${list.detail}`}
  </p>
);
