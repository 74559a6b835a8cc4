import { clsx } from "clsx";
import { type ChangeEvent, useId, useMemo } from "react";
import { CODE_INPUT } from "@/components/ui/code-input";
import { Field, type FieldText } from "@/components/ui/field";
import { toFieldAria } from "@/components/ui/field-notes";
import { type JsonToken, splitJson } from "./json-tokens";

/** Longest text that is colored, in UTF-16 units: a longer one would have too many elements. */
const MAX_COLORED_LENGTH = 20_000;

const COLOR: Record<JsonToken["kind"], string | undefined> = {
  name: "text-code-name",
  string: "text-code-string",
  value: "text-code-value",
  other: undefined,
};

/** Both layers must break lines at the same places. */
const TEXT_CLASS =
  "col-start-1 row-start-1 w-full min-w-0 px-3 py-2 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap pointer-coarse:text-base";

type JsonAreaProps = FieldText & {
  value: string;
  onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
};

/** A field for JSON that colors it; it grows with its content. */
export const JsonArea = ({ value, onChange, ...text }: JsonAreaProps) => {
  const id = useId();
  const tokens = useMemo(() => splitShown(value), [value]);
  return (
    <Field id={id} {...text}>
      <div
        className={clsx(
          "grid max-h-[50vh] min-h-24 min-w-0 overflow-y-auto rounded-md border bg-raised -outline-offset-1 outline-accent transition-colors focus-within:border-accent focus-within:outline-1",
          text.error === undefined ? "border-border-field" : "border-danger",
        )}
      >
        <pre
          aria-hidden
          translate="no"
          className={clsx(TEXT_CLASS, "pointer-events-none forced-colors:invisible")}
        >
          {tokens.map((token, index) => (
            <span key={index} className={COLOR[token.kind]}>
              {token.text}
            </span>
          ))}
          {/* The zero-width space gives a new, empty last line its height. */}
          {"\u200b"}
        </pre>
        <textarea
          {...CODE_INPUT}
          {...toFieldAria(id, text)}
          id={id}
          value={value}
          onChange={onChange}
          translate="no"
          className={clsx(
            TEXT_CLASS,
            // The text below has the colors; that of the field is only its caret.
            "resize-none overflow-hidden bg-transparent outline-none not-forced-colors:[-webkit-text-fill-color:transparent]",
          )}
        />
      </div>
    </Field>
  );
};

const splitShown = (text: string): JsonToken[] =>
  text.length > MAX_COLORED_LENGTH ? [{ kind: "other", text }] : splitJson(text);
