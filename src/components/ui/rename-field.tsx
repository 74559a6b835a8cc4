"use client";
import { type FocusEvent, type KeyboardEvent, useRef } from "react";

type RenameFieldProps = {
  label: string;
  value: string;
  maxLength: number;
  onSave: (value: string) => void;
  onCancel: () => void;
};

/** A name being changed in its place: Enter or leaving saves, Escape steps back; blank keeps the old one. */
export const RenameField = ({ label, value, maxLength, onSave, onCancel }: RenameFieldProps) => {
  // Leaving the field also happens because Enter or Escape takes it away.
  const done = useRef(false);
  const finish = (next: string | undefined) => {
    if (done.current) return;
    done.current = true;
    const trimmed = next?.trim();
    if (trimmed === undefined || trimmed === "") onCancel();
    else onSave(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      finish(undefined);
    }
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      finish(event.currentTarget.value);
    }
  };
  return (
    <input
      aria-label={label}
      autoFocus
      defaultValue={value}
      maxLength={maxLength}
      onFocus={(event: FocusEvent<HTMLInputElement>) => event.currentTarget.select()}
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      className="h-8 w-full min-w-0 flex-1 rounded-sm border border-accent bg-raised px-2 text-sm outline-none"
    />
  );
};
