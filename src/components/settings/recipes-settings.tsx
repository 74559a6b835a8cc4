"use client";
import { lazy } from "react";
import { importPart } from "@/lib/import-part";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/contract/problem";
import type { Recipe, RecipeInput } from "@/contract/recipe";
import { EditableList, type RecordsProps } from "./editable-list";
import { RecipeRow, type RecipeTrial } from "./recipe-row";

const RecipeForm = lazy(() => importPart(() => import("./recipe-form")));

type FileReload = {
  onReloadFiles: () => void;
  isReloadingFiles: boolean;
  /** Why the files were not loaded again. */
  reloadProblem: Problem | undefined;
};

type RecipesSettingsProps = RecordsProps<Recipe, RecipeInput, RecipeInput, RecipeTrial> &
  FileReload & {
    /** The folder of files with recipes; null without one. */
    folder: string | null;
  };

/** Lists the recipes of the server, adds, changes, runs and deletes them. */
export const RecipesSettings = (props: RecipesSettingsProps) => (
  <EditableList
    {...props}
    title="Recipes"
    lead="Tools of your own: commands that run in the sandbox, one after another."
    noun="recipe"
    getKey={({ source, name }) => `${source} ${name}`}
    form={(recipe, frame) => (
      <RecipeForm
        {...frame}
        recipe={recipe?.declaration}
        onSubmit={(input) => (recipe ? props.onUpdate : props.onCreate)(input, frame.onSaved)}
      />
    )}
    row={(recipe, onEdit) => (
      <RecipeRow
        {...props}
        item={recipe}
        trial={recipe.problem ? undefined : props.trials[recipe.name]}
        onEdit={onEdit}
      />
    )}
  >
    {props.folder !== null && <FilesBar {...props} folder={props.folder} />}
  </EditableList>
);

type FilesBarProps = FileReload & { folder: string };

const FilesBar = ({ folder, onReloadFiles, isReloadingFiles, reloadProblem }: FilesBarProps) => (
  <div className="grid gap-3">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-52 text-sm text-muted">
        Recipes also come from the files in{" "}
        <code translate="no" className="wrap-anywhere">
          {folder}
        </code>
        , which have precedence.
      </p>
      <Button size="sm" isBusy={isReloadingFiles} onClick={onReloadFiles}>
        Reload files
      </Button>
    </div>
    <FailureAlert title="The files were not loaded again" detail={reloadProblem?.detail} />
  </div>
);
