import { clsx } from "clsx";
import { Circle, CircleCheck, CircleDot, ListTodo, type LucideIcon } from "lucide-react";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import { type Todo, type TodoStatus, TodoList } from "@/contract/todos";
import { Outcome } from "@/components/tool-cards/outcome";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows the agent's list of steps; one that a newer list has replaced is closed. */
export const TodoWriteCard = ({ part, output, place, ...rest }: OutputCardProps<TodoList>) => {
  const isReplaced = output !== undefined && place?.newestTodoCall !== part.tool_call_id;
  return (
    <ToolCard
      // A list that is replaced closes by itself.
      key={isReplaced ? "replaced" : "newest"}
      {...rest}
      part={part}
      icon={ListTodo}
      label={isReplaced ? "Earlier to-do list" : "To-do list"}
      detail={output && describeProgress(output.todos)}
      defaultOpen={!isReplaced}
    >
      {output ? <Todos todos={output.todos} /> : <Outcome part={part} />}
    </ToolCard>
  );
};

export default withOutput(TodoList, TodoWriteCard);

const describeProgress = (todos: readonly Todo[]): string => {
  if (todos.length === 0) return "empty";
  const done = todos.filter(({ status }) => status === "completed").length;
  return `${done} of ${todos.length} done`;
};

const STATUS: Record<TodoStatus, { word: string; icon: LucideIcon; tone: string }> = {
  pending: { word: "To do", icon: Circle, tone: "text-muted" },
  in_progress: { word: "In progress", icon: CircleDot, tone: "text-accent" },
  completed: { word: "Done", icon: CircleCheck, tone: "text-success" },
};

const Todos = ({ todos }: { todos: readonly Todo[] }) =>
  todos.length === 0 ? (
    <p className="text-sm text-muted">The list is empty.</p>
  ) : (
    <ol className="flex min-w-0 flex-col gap-1.5">
      {todos.map(({ content, status }, index) => {
        const { word, icon: Icon, tone } = STATUS[status];
        return (
          <li key={index} className="flex min-w-0 items-start gap-2">
            <Icon aria-hidden size={16} className={clsx("mt-0.5 shrink-0", tone)} />
            <VisuallyHidden>{word}: </VisuallyHidden>
            <span
              className={clsx(
                "min-w-0 wrap-anywhere",
                status === "completed" && "text-muted line-through",
                status === "in_progress" && "font-medium",
              )}
            >
              {content}
            </span>
          </li>
        );
      })}
    </ol>
  );
