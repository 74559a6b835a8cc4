import { Clock, FilePen, ListChecks, type LucideIcon, Sparkles } from "lucide-react";

type Example = { icon: LucideIcon; title: string; prompt: string };

/** Prompts that any model understands; the demo model needs the tool names. */
const EXAMPLES: readonly Example[] = [
  { icon: Clock, title: "Use a tool", prompt: "use current_time" },
  {
    icon: FilePen,
    title: "Write a file",
    prompt: 'use write_file with {"path":"notes.md","content":"# Notes"}',
  },
  {
    icon: ListChecks,
    title: "Several tools at once",
    prompt: "use list_directory and current_time",
  },
  { icon: Sparkles, title: "See it reason", prompt: "think about a name for a sailing boat" },
];

type EmptyChatProps = {
  onSelect: (prompt: string) => void;
  disabled: boolean;
};

/** The heading and example prompts of a new chat. */
export const EmptyChat = ({ onSelect, disabled }: EmptyChatProps) => (
  <div className="mx-auto flex w-full max-w-[46rem] flex-col gap-6 px-4">
    <h1 className="text-2xl font-semibold tracking-tight text-balance">What shall we work on?</h1>
    <ul aria-label="Examples" className="grid gap-2 sm:grid-cols-2">
      {EXAMPLES.map(({ icon: Icon, title, prompt }) => (
        <li key={title} className="min-w-0">
          <button
            type="button"
            disabled={disabled}
            onClick={() => onSelect(prompt)}
            className="flex h-full w-full min-w-0 items-start gap-3 rounded-lg border bg-raised px-3.5 py-3 text-left transition-colors hover:border-border-strong hover:bg-surface disabled:cursor-not-allowed disabled:opacity-50"
          >
            <Icon aria-hidden size={16} className="mt-0.5 shrink-0 text-accent" />
            <span className="min-w-0">
              <span className="block font-medium">{title}</span>
              <span className="line-clamp-2 text-xs break-words text-muted">{prompt}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  </div>
);
