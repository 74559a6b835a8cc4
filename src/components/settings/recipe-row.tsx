import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import type { Problem } from "@/contract/problem";
import type { Recipe, RecipeRun } from "@/contract/recipe";
import { formatCommandLines } from "@/lib/command-lines";
import { formatDuration } from "@/lib/format";
import { SettingsRow, toToggleItem } from "./settings-list";

/** A run of a recipe; neither result nor problem while it runs. */
export type RecipeTrial = { result?: RecipeRun; problem?: Problem };

export type RecipeRowActions = {
  onRun: () => void;
  onEdit: () => void;
  onToggle: () => void;
  onDelete: () => void;
};

type RecipeRowProps = RecipeRowActions & {
  recipe: Recipe;
  /** The last run. */
  trial: RecipeTrial | undefined;
};

export const RecipeRow = ({ recipe, trial, ...actions }: RecipeRowProps) => {
  const { name, description, source, file, enabled, problem } = recipe;
  return (
    <SettingsRow
      title={name}
      isCode
      badges={
        <>
          {source === "file" && (
            <Badge text={file === name || file === undefined ? "File" : file} />
          )}
          {problem !== undefined && <Badge tone="danger" text="Broken" />}
          {!enabled && <Badge text="Off" />}
        </>
      }
      facts={[
        <span key="description" className="line-clamp-2" title={description}>
          {description}
        </span>,
      ]}
      trial={
        problem === undefined
          ? {
              label: "Run once",
              accessibleName: `Run once: ${name}`,
              isBusy: trial !== undefined && !trial.result && !trial.problem,
              onClick: actions.onRun,
            }
          : undefined
      }
      editing={
        source === "declared"
          ? {
              name,
              onEdit: actions.onEdit,
              items: [toToggleItem(enabled, actions.onToggle)],
              deletion: { ...DELETION, onDelete: actions.onDelete },
            }
          : undefined
      }
    >
      {problem !== undefined && (
        <Alert tone="danger" title={describePlace(problem)}>
          <span className="wrap-anywhere whitespace-pre-wrap">{problem.message}</span>
        </Alert>
      )}
      {trial && <TrialResult trial={trial} />}
    </SettingsRow>
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

const TrialResult = ({ trial: { result, problem } }: { trial: RecipeTrial }) => {
  if (problem) {
    return (
      <Alert tone="danger" announce="alert" title="The recipe was not run">
        {problem.detail}
      </Alert>
    );
  }
  if (!result) return null;
  const { is_error, duration_ms, commands, output } = result;
  return (
    <Alert
      tone={is_error ? "danger" : "success"}
      announce="status"
      title={`${is_error ? "Failed" : "Succeeded"} after ${formatDuration(duration_ms)}`}
    >
      <TrialText label="Commands" text={formatCommandLines(commands)} />
      <TrialText label="What the model would read" text={output} />
    </Alert>
  );
};

const TrialText = ({ label, text }: { label: string; text: string }) =>
  text === "" ? null : (
    <pre
      // Keyboard users can only scroll what they can focus.
      tabIndex={0}
      role="group"
      aria-label={label}
      className="mt-2 max-h-56 overflow-auto rounded-md border bg-raised px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
