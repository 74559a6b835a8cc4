"use client";
import { StepForward } from "lucide-react";
import { Popover } from "@/components/ui/popover";
import { Switch } from "@/components/ui/switch";
import type { AutoSubmit } from "@/contract/chat";

type AutoSubmitMenuProps = {
  value: AutoSubmit;
  onChange: (change: Partial<AutoSubmit>) => void;
  disabled: boolean;
};

/** Sets whether a chat goes on by itself after the results of its tools. */
export const AutoSubmitMenu = ({ value, onChange, disabled }: AutoSubmitMenuProps) => (
  <Popover
    title="After tools"
    trigger={
      <button
        type="button"
        aria-label={`After tools: ${describe(value)}`}
        className="flex size-8 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text data-popup-open:bg-hover pointer-coarse:size-10"
      >
        <StepForward
          aria-hidden
          size={15}
          className={value.success && value.error ? undefined : "text-accent"}
        />
      </button>
    }
  >
    <div className="grid gap-3">
      <p className="text-pretty text-muted">
        Whether the model gets the results of its tools at once. If not, the turn rests until you
        continue it.
      </p>
      <Switch
        label="Go on after a success"
        checked={value.success}
        disabled={disabled}
        onChange={({ target }) => onChange({ success: target.checked })}
      />
      <Switch
        label="Go on after an error"
        checked={value.error}
        disabled={disabled}
        onChange={({ target }) => onChange({ error: target.checked })}
      />
    </div>
  </Popover>
);

const describe = ({ success, error }: AutoSubmit): string => {
  if (success && error) return "goes on by itself";
  if (!success && !error) return "waits for you";
  return success ? "waits for you after an error" : "waits for you after a success";
};
