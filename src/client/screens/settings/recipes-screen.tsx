"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useRecipes } from "@/client/use-recipes";
import { RecipesSettings } from "@/components/settings/recipes-settings";

export const RecipesScreen = () => {
  const { query, ...recipes } = useRecipes();
  const { data, error, isFetching } = query;
  return (
    <RecipesSettings
      {...recipes}
      items={toLoadable({ data: data?.data, error, isFetching })}
      onReload={toReload(query)}
      folder={data?.folder ?? null}
    />
  );
};
