"use client";
import { toLoadable, toReload } from "@/client/screens/settings/to-loadable";
import { useRecipes } from "@/client/use-recipes";
import { RecipesSettings } from "@/components/settings/recipes-settings";

export const RecipesScreen = () => {
  const { query, reloadFiles, create, update, forgetSave, toggle, remove, run, ...rest } =
    useRecipes();
  const { data, error, isFetching } = query;
  return (
    <RecipesSettings
      {...rest}
      recipes={toLoadable({ data: data?.data, error, isFetching })}
      folder={data?.folder ?? null}
      onReloadFiles={reloadFiles}
      onReload={toReload(query)}
      onCreate={create}
      onUpdate={update}
      onCloseForm={forgetSave}
      onToggle={toggle}
      onDelete={remove}
      onRun={run}
    />
  );
};
