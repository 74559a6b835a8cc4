import { type RefObject, useEffect, useEffectEvent } from "react";

/** Passes on what was typed into a field before hydration: until then it is only in the DOM. */
export const useEarlyInput = (
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  value: string,
  onChange: (typed: string) => void,
): void => {
  const restore = useEffectEvent(() => {
    const typed = field.current?.value ?? "";
    if (typed !== "" && typed !== value) onChange(typed);
  });
  useEffect(() => restore(), []);
};
