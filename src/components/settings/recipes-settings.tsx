"use client";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/contract/problem";
import type { Recipe, RecipeInput } from "@/contract/recipe";
import { EditableList, type ListSaving } from "./editable-list";
import type { Loadable } from "./loaded";
import { RecipeForm } from "./recipe-form";
import { RecipeRow, type RecipeTrial } from "./recipe-row";

type RecipesSettingsProps = ListSaving & {
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
  /** Switches a recipe on or off. */
  onToggle: (recipe: RecipeInput) => void;
  onDelete: (name: string) => void;
  onRun: (name: string) => void;
  /** The last run of each recipe, by its name. */
  trials: Readonly<Record<string, RecipeTrial>>;
};

/** Lists the recipes of the server, adds, changes, runs and deletes them. */
export const RecipesSettings = (props: RecipesSettingsProps) => {
  const { recipes, folder, onReload, onCreate, onUpdate, trials } = props;
  return (
    <EditableList
      title="Recipes"
      lead="Tools of your own: commands that run in the sandbox, one after another."
      noun="recipe"
      items={recipes}
      onReload={onReload}
      getKey={({ source, name }) => `${source} ${name}`}
      getName={({ name }) => name}
      saving={props}
      form={(recipe, frame) => (
        <RecipeForm
          {...frame}
          recipe={recipe?.declaration}
          onSubmit={(input) => (recipe ? onUpdate : onCreate)(input, frame.onCancel)}
        />
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
