import { clsx } from "clsx";
import { X } from "lucide-react";
import type { Mentionable } from "@/lib/mentions";
import { MentionIcon } from "./mention-icon";

type MentionChipsProps = {
  chosen: readonly Mentionable[];
  onRemove: (chosen: Mentionable) => void;
  disabled: boolean;
};

/** The tools and groups that a chat has chosen; renders nothing for a chat with all tools. */
const MentionChips = ({ chosen, onRemove, disabled }: MentionChipsProps) => {
  if (chosen.length === 0) return null;
  const problems = chosen.flatMap(({ problem }) => problem ?? []);
  return (
    <div className="grid min-w-0 gap-1.5 px-2 pt-3">
      <ul
        aria-label="Tools of this chat"
        className="flex max-h-28 min-w-0 flex-wrap gap-1.5 overflow-y-auto"
      >
        {chosen.map((one) => (
          <li
            key={`${one.kind} ${one.name}`}
            title={one.description}
            className={clsx(
              "flex max-w-full min-w-0 items-center gap-1.5 rounded-md pl-2 text-xs font-medium",
              one.problem === undefined
                ? "bg-accent-soft text-accent-strong"
                : "bg-danger-soft text-danger",
            )}
          >
            <MentionIcon kind={one.kind} />
            <span translate="no" className="min-w-0 truncate">
              {one.name}
            </span>
            <button
              type="button"
              disabled={disabled}
              aria-label={`Remove ${one.name}`}
              onClick={() => onRemove(one)}
              className="grid size-6 shrink-0 place-items-center rounded-md hover:bg-hover disabled:cursor-not-allowed disabled:opacity-50 pointer-coarse:size-9"
            >
              <X aria-hidden size={12} />
            </button>
          </li>
        ))}
      </ul>
      {problems.length > 0 && (
        <p className="px-1 text-xs text-pretty wrap-anywhere text-danger">{problems.join(" ")}</p>
      )}
    </div>
  );
};
export default MentionChips;
