import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { Problem } from "@/contract/problem";
import type { Recipe, RecipeRun } from "@/contract/recipe";
import { formatCommandLines } from "@/lib/command-lines";
import { formatDuration } from "@/lib/format";

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
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="grid gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <code className="min-w-0 font-medium wrap-anywhere">{name}</code>
            {source === "file" && (
              <Badge text={file === name || file === undefined ? "File" : file} />
            )}
            {problem !== undefined && <Badge tone="danger" text="Broken" />}
            {!enabled && <Badge text="Off" />}
          </p>
          <p className="mt-1 line-clamp-2 text-xs text-muted" title={description}>
            {description}
          </p>
        </div>
        <RowActions
          {...actions}
          recipe={recipe}
          isRunning={trial !== undefined && !trial.result && !trial.problem}
          onDelete={() => setAsking(true)}
        />
      </div>
      {problem !== undefined && (
        <Alert tone="danger" title={describePlace(problem)}>
          <span className="wrap-anywhere whitespace-pre-wrap">{problem.message}</span>
        </Alert>
      )}
      {trial && <Trial trial={trial} />}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete “${name}”?`}
        message="Chats are no longer offered the tool. You cannot undo this."
        confirmLabel="Delete recipe"
        onConfirm={actions.onDelete}
      />
    </li>
  );
};

const describePlace = ({ file, line }: NonNullable<Recipe["problem"]>): string => {
  if (file === undefined) return "This recipe is not offered";
  return line === undefined ? file : `${file}, line ${line}`;
};

type RowActionsProps = RecipeRowActions & { recipe: Recipe; isRunning: boolean };

const RowActions = ({ recipe, isRunning, ...actions }: RowActionsProps) => {
  const { name, enabled, source, problem } = recipe;
  return (
    <div className="flex items-center gap-2">
      {problem === undefined && (
        <Button
          size="sm"
          aria-label={`Run once: ${name}`}
          isBusy={isRunning}
          onClick={actions.onRun}
        >
          Run once
        </Button>
      )}
      {source === "declared" && (
        <>
          <Button size="sm" aria-label={`Edit ${name}`} onClick={actions.onEdit}>
            Edit
          </Button>
          <Menu
            trigger={
              <IconButton
                size="sm"
                label={`More for ${name}`}
                icon={<Ellipsis aria-hidden size={16} />}
              />
            }
            items={[
              {
                kind: "item",
                label: enabled ? "Switch off" : "Switch on",
                onSelect: actions.onToggle,
              },
              { kind: "item", label: "Delete", isDestructive: true, onSelect: actions.onDelete },
            ]}
          />
        </>
      )}
    </div>
  );
};

const Trial = ({ trial: { result, problem } }: { trial: RecipeTrial }) => {
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
