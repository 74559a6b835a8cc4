"use client";
import { useAdvisorConfig } from "@/client/use-advisor-config";
import { useModelList } from "@/client/use-models";
import { AdvisorSettingsForm } from "@/components/settings/advisor-settings-form";
import { toLoaded } from "./to-loaded";

export const AdvisorScreen = () => {
  const { query, save, isSaving, isSaved, problem } = useAdvisorConfig();
  const models = useModelList();
  return (
    <AdvisorSettingsForm
      config={toLoaded(query)}
      models={toLoaded(models)}
      onReload={() => {
        query.refetch().catch(reportError);
      }}
      onReloadModels={() => {
        models.refetch().catch(reportError);
      }}
      onSave={save}
      saving={isSaving}
      saved={isSaved}
      problem={problem}
    />
  );
};
