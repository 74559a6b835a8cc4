"use client";
import { Hourglass } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";
import type { Task } from "@/contract/task";
import { describeTaskState, isTaskOpen } from "@/components/tool-cards/task-words";

type TaskMenuProps = {
  tasks: readonly Task[];
  onCancel: (taskId: string) => void;
};

/** Counts the tasks that run, and lists them; nothing while none does. */
const TaskMenu = ({ tasks, onCancel }: TaskMenuProps) => {
  const open = tasks.filter(({ state }) => isTaskOpen(state));
  if (open.length === 0) return null;
  return (
    <Popover
      title="Running tasks"
      trigger={
        <button
          type="button"
          aria-label={`Running tasks: ${open.length}`}
          className="flex h-8 items-center gap-1.5 rounded-md px-2 text-xs tabular-nums transition-colors hover:bg-hover pointer-coarse:h-10"
        >
          <Hourglass aria-hidden size={15} />
          {open.length}
        </button>
      }
    >
      <ul className="flex flex-col gap-2">
        {open.map((task) => (
          <li key={task.id} className="flex min-w-0 items-center gap-3">
            <span className="min-w-0 flex-1 text-sm wrap-anywhere">{task.label}</span>
            <span className="shrink-0 text-xs text-muted">{describeTaskState(task.state)}</span>
            <Button size="sm" aria-label={`Cancel ${task.label}`} onClick={() => onCancel(task.id)}>
              Cancel
            </Button>
          </li>
        ))}
      </ul>
      {open.length > 1 && (
        <div className="mt-3 flex justify-end">
          <Button size="sm" onClick={() => inStopOrder(open).forEach(({ id }) => onCancel(id))}>
            Cancel all
          </Button>
        </div>
      )}
    </Popover>
  );
};
export default TaskMenu;

/** Queued tasks first, as one begins whenever a running one ends. */
const inStopOrder = (tasks: readonly Task[]): readonly Task[] =>
  tasks.toSorted((one, other) => Number(other.state === "queued") - Number(one.state === "queued"));
