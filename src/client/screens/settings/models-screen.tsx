"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useModelSettings } from "@/client/use-model-settings";
import { ModelsSettings } from "@/components/models/models-settings";

export const ModelsScreen = () => {
  const { query, ...models } = useModelSettings();
  return <ModelsSettings {...models} items={toLoadable(query)} onReload={toReload(query)} />;
};
