import { Unplug } from "lucide-react";
import { TimeOfDay } from "./time-of-day";

type AbsentProgramsProps = {
  /** Since when no program has been connected, by the names of toolsets; null for very long. */
  absent: Readonly<Record<string, string | null>>;
};

/** Says that calls wait for programs that are not connected, so that a person may rather answer. */
export const AbsentPrograms = ({ absent }: AbsentProgramsProps) => {
  const toolsets = Object.entries(absent);
  if (toolsets.length === 0) return null;
  return (
    <ul className="grid gap-1 border-b px-4 py-3 text-sm text-muted">
      {toolsets.map(([name, since]) => (
        <li key={name} className="flex min-w-0 items-start gap-1.5">
          <Unplug aria-hidden size={16} className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            No program that runs{" "}
            <code translate="no" className="font-mono text-xs text-text">
              {name}
            </code>{" "}
            {since === null ? (
              "is connected."
            ) : (
              <>
                is connected since <TimeOfDay at={since} />.
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
};
