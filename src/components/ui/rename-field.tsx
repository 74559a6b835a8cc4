"use client";
import { type FocusEvent, type KeyboardEvent, useRef } from "react";
import { isComposing } from "./text-focus";

type RenameFieldProps = {
  label: string;
  value: string;
  maxLength: number;
  onSave: (value: string) => void;
  onCancel: () => void;
};

/** Edits a name in place: Enter and blur save, Escape cancels, a blank name cancels too. */
export const RenameField = ({ label, value, maxLength, onSave, onCancel }: RenameFieldProps) => {
  // Enter and Escape remove the field, which triggers a blur that must not save again.
  const isFinished = useRef(false);
  const finish = (next: string | undefined) => {
    if (isFinished.current) return;
    isFinished.current = true;
    const trimmed = next?.trim();
    if (trimmed === undefined || trimmed === "") onCancel();
    else onSave(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      finish(undefined);
    }
    if (event.key === "Enter") {
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
