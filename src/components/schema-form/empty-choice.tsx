import { Checkbox } from "@/components/ui/checkbox";
import { VisuallyHidden } from "@/components/ui/visually-hidden";

type EmptyChoiceProps = {
  label: string;
  /** The label of the field, by which screen readers distinguish several choices. */
  fieldLabel: string;
  /** Whether the answer is empty on purpose; undefined while it has a value. */
  isEmpty: boolean | undefined;
  /** Whether a missing value was reported. */
  isReported: boolean;
  onChange: (isEmpty: boolean) => void;
  disabled?: boolean | undefined;
};

/** Answers with an empty value, which is never sent unless it was chosen. Appears once it was missed. */
export const EmptyChoice = ({
  label,
  fieldLabel,
  isEmpty,
  isReported,
  ...props
}: EmptyChoiceProps) =>
  isEmpty === true || (isEmpty === false && isReported) ? (
    <Checkbox
      label={
        <>
          {label}
          <VisuallyHidden> for {fieldLabel}</VisuallyHidden>
        </>
      }
      checked={isEmpty}
      disabled={props.disabled}
      onChange={({ target }) => props.onChange(target.checked)}
    />
  ) : null;
