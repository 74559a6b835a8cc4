"use client";
import { download } from "@/client/download";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useImports } from "@/client/use-imports";
import { DataSettings } from "@/components/settings/data-settings";

export const DataScreen = () => {
  const { query, ...imports } = useImports();
  return (
    <DataSettings
      {...imports}
      imports={toLoadable(query)}
      onReload={toReload(query)}
      onExport={() => download("/api/v1/export")}
    />
  );
};
