"use client";
import { toProblem } from "@/client/to-problem";
import { useAdvisorConfig } from "@/client/use-advisor-config";
import { useModelList } from "@/client/use-models";
import type { Loadable } from "@/components/settings/advisor-draft";
import { AdvisorSettingsForm } from "@/components/settings/advisor-settings-form";

export const AdvisorScreen = () => {
  const { query, save, isSaving, isSaved, problem } = useAdvisorConfig();
  const models = useModelList();
  return (
    <AdvisorSettingsForm
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

type QueryResult<Value> = { data: Value | undefined; error: unknown; isFetching: boolean };

/** Converts a query; cached data stays visible during a refetch and after a failed one. */
const toLoadable = <Value,>({ data, error, isFetching }: QueryResult<Value>): Loadable<Value> => {
  if (data !== undefined) return { state: "ready", value: data, isRefreshing: isFetching };
  if (isFetching || !error) return { state: "loading" };
  return { state: "failed", detail: toProblem(error).detail };
};
