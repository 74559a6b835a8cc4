import { clsx } from "clsx";
import { MentionIcon } from "./mention-icon";
import { type Completion, isCommand, toMentionId } from "./use-mention-input";

type MentionListProps = {
  id: string;
  options: readonly Completion[];
  activeIndex: number;
  onChoose: (option: Completion) => void;
};

/** Without a scroll bar, as one that keyboards can reach would take the focus from the message field. */
const MAX_VISIBLE = 7;

/** What a mention or command that is being written may mean: the options around the active one. The focus stays in the message field. */
const MentionList = ({ id, options, activeIndex, onChoose }: MentionListProps) => {
  const first = Math.max(0, Math.min(activeIndex - 3, options.length - MAX_VISIBLE));
  return (
    <ul
      id={id}
      role="listbox"
      aria-label={options.some(isCommand) ? "Commands" : "Tools and groups"}
      className="absolute inset-x-0 bottom-full z-30 mb-2 overflow-hidden rounded-lg border bg-raised p-1 shadow-popup"
    >
      {options.slice(first, first + MAX_VISIBLE).map((option, place) => (
        <MentionOption
          key={`${option.kind} ${option.name}`}
          id={toMentionId(id, first + place)}
          option={option}
          isActive={first + place === activeIndex}
          position={first + place + 1}
          count={options.length}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
};

export default MentionList;

const LABEL = { group: "Group", prompt: "Prompt", resource: "Resource", chat: "Chat" } as const;

type MentionOptionProps = Pick<MentionListProps, "id" | "onChoose"> & {
  option: Completion;
  isActive: boolean;
  /** From 1. */
  position: number;
  /** Of all options. */
  count: number;
};

const MentionOption = (props: MentionOptionProps) => {
  const { id, option, isActive, position, count, onChoose } = props;
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      aria-posinset={position}
      aria-setsize={count}
      // Pressing it would take the focus from the message field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(option)}
      className={clsx(
        "flex min-w-0 cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm pointer-coarse:py-3",
        isActive ? "bg-hover" : "hover:bg-hover",
      )}
    >
      <MentionIcon kind={option.kind} />
      <span translate="no" className="max-w-[60%] shrink-0 truncate font-medium">
        {option.name}
      </span>
      <span className="min-w-0 flex-1 truncate text-xs text-muted">{option.description}</span>
      {option.kind !== "tool" && (
        <span className="shrink-0 text-xs text-muted">{LABEL[option.kind]}</span>
      )}
    </li>
  );
};
