"use client";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/contract/problem";
import type { Recipe, RecipeInput } from "@/contract/recipe";
import { EditableList } from "./editable-list";
import type { Loadable } from "./loaded";
import { RecipeForm } from "./recipe-form";
import { RecipeRow, type RecipeTrial } from "./recipe-row";

type RecipesSettingsProps = {
  recipes: Loadable<readonly Recipe[]>;
  /** The folder of files with recipes; null without one. */
  folder: string | null;
  onReloadFiles: () => void;
  isReloadingFiles: boolean;
  /** Why the files were not loaded again. */
  reloadProblem: Problem | undefined;
  onReload: () => void;
  /** `onSaved` is called when the recipe is saved. */
  onCreate: (recipe: RecipeInput, onSaved: () => void) => void;
  onUpdate: (recipe: RecipeInput, onSaved: () => void) => void;
  isSaving: boolean;
  /** Why the form was not saved. */
  saveProblem: Problem | undefined;
  /** Forgets that problem. */
  onCloseForm: () => void;
  /** Switches a recipe on or off. */
  onToggle: (recipe: RecipeInput) => void;
  onDelete: (name: string) => void;
  /** Why the last change of a row failed. */
  changeProblem: Problem | undefined;
  onRun: (name: string) => void;
  /** The last run of each recipe, by its name. */
  trials: Readonly<Record<string, RecipeTrial>>;
};

/** Lists the recipes of the server, adds, changes, runs and deletes them. */
export const RecipesSettings = (props: RecipesSettingsProps) => {
  const { recipes, folder, onReload, onCloseForm, changeProblem, trials } = props;
  return (
    <EditableList
      title="Recipes"
      lead="Tools of your own: commands that run in the sandbox, one after another."
      noun="recipe"
      items={recipes}
      onReload={onReload}
      keyOf={({ source, name }) => `${source} ${name}`}
      form={(recipe, onClose) => (
        <OpenForm {...props} recipe={recipe?.declaration ?? undefined} onClose={onClose} />
      )}
      row={(recipe, onEdit) => (
        <RecipeRow
          recipe={recipe}
          trial={recipe.problem ? undefined : trials[recipe.name]}
          onRun={() => props.onRun(recipe.name)}
          onEdit={onEdit}
          onToggle={() => {
            const { declaration } = recipe;
            if (declaration) props.onToggle({ ...declaration, enabled: !declaration.enabled });
          }}
          onDelete={() => props.onDelete(recipe.name)}
        />
      )}
      onCloseForm={onCloseForm}
      changeProblem={changeProblem}
    >
      {folder !== null && <FilesBar {...props} folder={folder} />}
    </EditableList>
  );
};

type FilesBarProps = Pick<
  RecipesSettingsProps,
  "onReloadFiles" | "isReloadingFiles" | "reloadProblem"
> & { folder: string };

const FilesBar = ({ folder, onReloadFiles, isReloadingFiles, reloadProblem }: FilesBarProps) => (
  <div className="grid gap-3">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-52 text-sm text-muted">
        Recipes also come from the files in <code className="wrap-anywhere">{folder}</code>, which
        have precedence.
      </p>
      <Button size="sm" isBusy={isReloadingFiles} onClick={onReloadFiles}>
        Reload files
      </Button>
    </div>
    {reloadProblem !== undefined && (
      <Alert tone="danger" announce="alert" title="The files were not loaded again">
        {reloadProblem.detail}
      </Alert>
    )}
  </div>
);

type OpenFormProps = Pick<
  RecipesSettingsProps,
  "onCreate" | "onUpdate" | "isSaving" | "saveProblem"
> & { recipe: RecipeInput | undefined; onClose: () => void };

const OpenForm = (props: OpenFormProps) => {
  const { recipe, onCreate, onUpdate, isSaving, saveProblem, onClose } = props;
  return (
    <RecipeForm
      recipe={recipe}
      onSubmit={(input) => (recipe ? onUpdate(input, onClose) : onCreate(input, onClose))}
      onCancel={onClose}
      isBusy={isSaving}
      problem={saveProblem}
    />
  );
};
