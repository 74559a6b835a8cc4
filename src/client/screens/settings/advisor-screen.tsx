"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useTRPC } from "@/client/trpc";
import { useModelList } from "@/client/use-models";
import { useSetting } from "@/client/use-setting";
import { AdvisorSettings } from "@/components/settings/advisor-settings";

export const AdvisorScreen = () => {
  const { config } = useTRPC();
  const { query, ...saving } = useSetting(
    config.getAdvisor.queryOptions({}),
    config.setAdvisor.mutationOptions(),
  );
  const models = useModelList();
  return (
    <AdvisorSettings
      {...saving}
      config={toLoadable(query)}
      models={toLoadable(models)}
      onReload={toReload(query)}
      onReloadModels={toReload(models)}
    />
  );
};
