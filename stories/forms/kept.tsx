import { type ReactNode, useState } from "react";

type Control<Shown, Told extends Shown> = { value: Shown; onChange: (value: Told) => void };
type KeptProps<Shown, Told extends Shown> = Control<Shown, Told> & {
  children: (control: Control<Shown, Told>) => ReactNode;
};

/** Keeps the value of a control as its page does, and tells each change. */
export const Kept = <Shown, Told extends Shown>(props: KeptProps<Shown, Told>) => {
  const [value, setValue] = useState(props.value);
  const onChange = (next: Told) => {
    setValue(next);
    props.onChange(next);
  };
  return props.children({ value, onChange });
};
