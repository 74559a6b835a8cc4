"use client";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useFocusFallback } from "@/components/forms/use-focus-fallback";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/contract/problem";
import type { Recipe, RecipeInput } from "@/contract/recipe";
import { type Loadable, Loaded } from "./loaded";
import { RecipeForm } from "./recipe-form";
import { RecipeRow, type RecipeTrial } from "./recipe-row";
import { SettingsList } from "./settings-list";
import { SettingsSection } from "./settings-section";

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
  const { recipes, onReload, onToggle, onDelete, changeProblem, onRun, trials } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  /** The name of the recipe whose form is open; null for that of a new one. */
  const [open, setOpen] = useState<string | null>();
  const openForm = (name: string | null | undefined): void => {
    props.onCloseForm();
    setOpen(name);
  };
  const close = (): void => openForm(undefined);
  return (
    <SettingsSection
      title="Recipes"
      lead="Tools of your own: commands that run in the sandbox, one after another."
      headingRef={heading}
      action={open !== null && <AddButton onClick={() => openForm(null)} />}
    >
      {props.folder !== null && <FilesBar {...props} folder={props.folder} />}
      {open === null && <OpenForm {...props} recipe={undefined} onClose={close} />}
      {changeProblem !== undefined && (
        <Alert tone="danger" announce="alert" title="The recipe was not changed">
          {changeProblem.detail}
        </Alert>
      )}
      <Loaded loadable={recipes} what="recipes" onReload={onReload}>
        {(list) =>
          list.length === 0 ? (
            open !== null && <p className="text-muted">There are no recipes yet.</p>
          ) : (
            <SettingsList>
              {list.map((recipe) =>
                recipe.name === open && recipe.declaration ? (
                  <li key={recipe.name} className="p-2">
                    <OpenForm {...props} recipe={recipe.declaration} onClose={close} />
                  </li>
                ) : (
                  <RecipeRow
                    key={`${recipe.source} ${recipe.name}`}
                    recipe={recipe}
                    trial={recipe.problem ? undefined : trials[recipe.name]}
                    onRun={() => onRun(recipe.name)}
                    onEdit={() => openForm(recipe.name)}
                    onToggle={() => {
                      const { declaration } = recipe;
                      if (declaration) onToggle({ ...declaration, enabled: !declaration.enabled });
                    }}
                    onDelete={() => onDelete(recipe.name)}
                  />
                ),
              )}
            </SettingsList>
          )
        }
      </Loaded>
    </SettingsSection>
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

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <Button variant="primary" icon={<Plus aria-hidden size={16} />} onClick={onClick}>
    Add recipe
  </Button>
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
