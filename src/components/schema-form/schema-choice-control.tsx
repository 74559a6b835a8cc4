import { Select } from "@/components/ui/select";
import type { FieldTexts } from "./field-texts";
import { type DescribedOption, RadioGroup } from "@/components/ui/radio-group";

/** More options than these, or longer labels, are shown in a dropdown. */
const MAX_RADIO_OPTIONS = 4;
const MAX_RADIO_LABEL_LENGTH = 24;
/** Stands for no value; options have other values. */
const OMIT = "none";
const OMIT_OPTION = { value: OMIT, label: "Not set" };

type ChoiceControlProps = FieldTexts & {
  required: boolean;
  options: readonly DescribedOption<string>[];
  /** Undefined while no option is selected. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  disabled: boolean;
  /** Shows a dropdown, however few and short the options are. */
  isDropdown?: boolean;
};

/** Selects one option. A required choice begins without a selection, an optional one can be left out. */
export const ChoiceControl = (props: ChoiceControlProps) => {
  const { required, options, value, onChange, isDropdown = false, ...control } = props;
  const select = (selected: string) => onChange(selected === OMIT ? undefined : selected);
  const isShort = options.every(({ label }) => label.length <= MAX_RADIO_LABEL_LENGTH);
  if (!isDropdown && isShort && options.length <= MAX_RADIO_OPTIONS) {
    return (
      <RadioGroup
        {...control}
        options={required ? options : [...options, OMIT_OPTION]}
        value={required ? value : (value ?? OMIT)}
        onChange={select}
      />
    );
  }
  const blank = required ? { value: OMIT, label: "Choose…", disabled: true } : OMIT_OPTION;
  return (
    <Select
      {...control}
      options={[blank, ...options]}
      value={value ?? OMIT}
      onChange={({ target }) => select(target.value)}
      aria-required={required || undefined}
    />
  );
};
