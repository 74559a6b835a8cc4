import { type ReactNode, useState } from "react";

type Control<Value, Change extends Value> = { value: Value; onChange: (value: Change) => void };
type ControlledProps<Value, Change extends Value> = Control<Value, Change> & {
  children: (control: Control<Value, Change>) => ReactNode;
};

/** Stores the value of a controlled component and reports each change. */
export const Controlled = <Value, Change extends Value>(props: ControlledProps<Value, Change>) => {
  const [value, setValue] = useState(props.value);
  const onChange = (next: Change) => {
    setValue(next);
    props.onChange(next);
  };
  return props.children({ value, onChange });
};
