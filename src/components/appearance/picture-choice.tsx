import { type ReactNode, useId } from "react";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";

export type PictureOption<Value extends string> = {
  value: Value;
  label: string;
  /** A sentence under the label. */
  hint: string;
  /** What the option looks like; it is decoration. */
  picture: ReactNode;
};

type PictureChoiceProps<Value extends string> = {
  label: string;
  options: readonly PictureOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A group of radio buttons, each with a picture of what it selects. */
export const PictureChoice = <Value extends string>(props: PictureChoiceProps<Value>) => {
  const { label, options, value, onChange } = props;
  const name = useId();
  const isHydrated = useIsHydrated();
  return (
    <fieldset
      // Before, an option that is clicked would look selected and change nothing.
      inert={!isHydrated}
      role="radiogroup"
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-3"
    >
      {options.map((option) => (
        <PictureCard
          key={option.value}
          name={name}
          option={option}
          isChecked={option.value === value}
          onSelect={() => onChange(option.value)}
        />
      ))}
    </fieldset>
  );
};

type PictureCardProps = {
  /** Of the group. */
  name: string;
  option: PictureOption<string>;
  isChecked: boolean;
  onSelect: () => void;
};

const PictureCard = ({ name, option, isChecked, onSelect }: PictureCardProps) => {
  const id = useId();
  return (
    <label className="flex cursor-pointer flex-col overflow-hidden rounded-lg border border-border-strong bg-raised transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <div className="border-b">{option.picture}</div>
      <span className="flex items-start gap-2 px-3 py-2">
        <input
          type="radio"
          name={name}
          checked={isChecked}
          onChange={onSelect}
          // The label also contains the hint, which is not part of the name.
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint`}
          className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
        />
        <span className="min-w-0">
          <span id={`${id}-label`} className="block font-medium">
            {option.label}
          </span>
          <span id={`${id}-hint`} className="block text-note text-muted">
            {option.hint}
          </span>
        </span>
      </span>
    </label>
  );
};
