"use client";
import { toLoadable, toReload } from "@/client/screens/settings/to-loadable";
import { useModelSettings } from "@/client/use-model-settings";
import { ModelsSettings } from "@/components/settings/models-settings";

export const ModelsScreen = () => {
  const { query, create, update, forgetSave, change, remove, test, ...rest } = useModelSettings();
  return (
    <ModelsSettings
      {...rest}
      models={toLoadable(query)}
      onReload={toReload(query)}
      onCreate={create}
      onUpdate={update}
      onCloseForm={forgetSave}
      onChange={change}
      onDelete={remove}
      onTest={test}
    />
  );
};
