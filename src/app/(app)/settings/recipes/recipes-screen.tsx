"use client";
import { toLoadable } from "@/app/(app)/settings/to-loadable";
import { useRecipes } from "@/client/use-recipes";
import { RecipesSettings } from "@/components/settings/recipes-settings";

export const RecipesScreen = () => {
  const { query, create, update, forgetSave, toggle, remove, run, ...rest } = useRecipes();
  return (
    <RecipesSettings
      {...rest}
      recipes={toLoadable(query)}
      onReload={() => {
        query.refetch().catch(reportError);
      }}
      onCreate={create}
      onUpdate={update}
      onCloseForm={forgetSave}
      onToggle={toggle}
      onDelete={remove}
      onRun={run}
    />
  );
};
