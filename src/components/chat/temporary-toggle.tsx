import { Clock } from "lucide-react";

type TemporaryToggleProps = { isOn: boolean; onChange: (isOn: boolean) => void };

/** Makes the chat that begins here a temporary one. */
export const TemporaryToggle = ({ isOn, onChange }: TemporaryToggleProps) => (
  <div className="mb-1 flex flex-wrap items-center justify-end gap-x-2 px-1 text-note text-muted">
    {isOn && <p>In no list and no search, and deleted after a time without changes.</p>}
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-text aria-pressed:bg-accent-soft aria-pressed:text-text pointer-coarse:h-10"
    >
      <Clock aria-hidden size={15} />
      Temporary chat
    </button>
  </div>
);
