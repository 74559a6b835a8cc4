import { Alert } from "@/components/ui/alert";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Badge } from "@/components/ui/badge";
import type { Recipe, RecipeInput, RecipeRun } from "@/contract/recipe";
import { formatCommandLines } from "@/lib/command-lines";
import { formatDuration } from "@/lib/format";
import type { RecordRowProps } from "./editable-list";
import { DetailRow, toToggleItem, type Trial } from "@/components/ui/detail-list";

export type RecipeTrial = Trial<RecipeRun>;

export const RecipeRow = (props: RecordRowProps<Recipe, RecipeInput, RecipeTrial>) => {
  const { item, trial, onTry, onEdit, onChange, onDelete } = props;
  const { name, description, source, file = name, enabled, declaration, problem } = item;
  return (
    <DetailRow
      title={name}
      isCode
      badges={
        <>
          {source === "file" && <Badge text={file === name ? "File" : file} />}
          {problem !== undefined && <Badge tone="danger" text="Broken" />}
          {!enabled && <Badge text="Off" />}
        </>
      }
      facts={[
        <span key="description" className="line-clamp-2" title={description}>
          {description}
        </span>,
      ]}
      trying={
        problem === undefined
          ? { label: "Run once", name: `Run once: ${name}`, trial, onTry: () => onTry(name) }
          : undefined
      }
      editing={
        declaration && {
          name,
          onEdit,
          items: [toToggleItem(enabled, () => onChange({ ...declaration, enabled: !enabled }))],
          deletion: { ...DELETION, onDelete: () => onDelete(name) },
        }
      }
    >
      {problem !== undefined && (
        <Alert tone="danger" title={describePlace(problem)}>
          <span className="wrap-anywhere whitespace-pre-wrap">{problem.message}</span>
        </Alert>
      )}
      {trial && <RunOutcome {...trial} />}
    </DetailRow>
  );
};

const DELETION = {
  message: "Chats are no longer offered the tool. You cannot undo this.",
  confirmLabel: "Delete recipe",
};

const describePlace = ({ file, line }: NonNullable<Recipe["problem"]>): string => {
  if (file === undefined) return "This recipe is not offered";
  return line === undefined ? file : `${file}, line ${line}`;
};

const RunOutcome = ({ problem, result }: RecipeTrial) => {
  if (problem) {
    return <FailureAlert title="The recipe was not run" detail={problem.detail} />;
  }
  if (!result) return null;
  const { is_error, duration_ms, commands, output } = result;
  return (
    <Alert
      tone={is_error ? "danger" : "success"}
      announce="status"
      title={`${is_error ? "Failed" : "Succeeded"} after ${formatDuration(duration_ms)}`}
    >
      <RunText label="Commands" text={formatCommandLines(commands)} />
      <RunText label="What the model would read" text={output} />
    </Alert>
  );
};

const RunText = ({ label, text }: { label: string; text: string }) =>
  text === "" ? null : (
    <pre
      translate="no"
      // Keyboard users can only scroll what they can focus.
      tabIndex={0}
      role="group"
      aria-label={label}
      className="mt-2 max-h-56 overflow-auto rounded-md border bg-raised px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
