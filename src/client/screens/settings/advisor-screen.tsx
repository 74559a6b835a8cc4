"use client";
import { toLoadable } from "@/client/screens/settings/to-loadable";
import { useAdvisorConfig } from "@/client/use-advisor-config";
import { useModelList } from "@/client/use-models";
import { AdvisorSettings } from "@/components/settings/advisor-settings";

export const AdvisorScreen = () => {
  const { query, save, isSaving, isSaved, problem } = useAdvisorConfig();
  const models = useModelList();
  return (
    <AdvisorSettings
      config={toLoadable(query)}
      models={toLoadable(models)}
      onReload={() => {
        query.refetch().catch(reportError);
      }}
      onReloadModels={() => {
        models.refetch().catch(reportError);
      }}
      onSave={save}
      isSaving={isSaving}
      isSaved={isSaved}
      problem={problem}
    />
  );
};
