import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef } from "react";
import { isTouchDevice, moveCaretToEnd } from "@/components/ui/text-focus";
import { useFocusHome } from "./use-focus-home";

/** As much text as the tallest field can show; more of it makes the field no taller. */
const MEASURED_LENGTH = 4_000;

type ComposerTextProps = {
  value: string;
  onChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  placeholder: string;
  disabled: boolean;
  invalid: boolean;
  describedBy: string | undefined;
  autoFocus: boolean;
};

/** A field that is as tall as its text, or its placeholder, up to a third of the screen. */
export const ComposerText = (props: ComposerTextProps) => {
  const { onChange, invalid, describedBy, autoFocus, ...field } = props;
  const id = useId();
  const text = useRef<HTMLTextAreaElement>(null);
  // The page is shown before it is alive: what was typed by then is in the field only.
  const takeTypedEarly = useEffectEvent(() => {
    const typed = text.current?.value ?? "";
    if (typed !== "" && typed !== field.value) onChange(typed);
  });
  useEffect(() => takeTypedEarly(), []);
  // The browser's own autofocus comes before the page can take what is typed, and that would be lost.
  useEffect(() => {
    if (!autoFocus || !text.current || isTouchDevice()) return;
    text.current.focus();
    moveCaretToEnd(text.current);
  }, [autoFocus]);
  useFocusHome(text);
  return (
    <div className="grid min-w-0 px-3.5 py-3 text-base">
      <label htmlFor={id} className="sr-only">
        Message
      </label>
      <textarea
        {...field}
        ref={text}
        id={id}
        rows={1}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        onChange={({ target }) => onChange(target.value)}
        className="col-start-1 row-start-1 max-h-[35dvh] min-h-6 w-full min-w-0 resize-none overflow-y-auto bg-transparent wrap-anywhere outline-none disabled:cursor-not-allowed pointer-coarse:text-[1rem]"
      />
      <div
        aria-hidden
        className="invisible col-start-1 row-start-1 max-h-[35dvh] min-w-0 overflow-hidden wrap-anywhere whitespace-pre-wrap pointer-coarse:text-[1rem]"
      >
        {/* A line that is only begun has its height already. */}
        {`${(field.value || field.placeholder).slice(0, MEASURED_LENGTH)}\u200b`}
      </div>
    </div>
  );
};
