"use client";
import { useRouter } from "next/navigation";
import { toLoadable } from "@/app/(app)/settings/to-loadable";
import { useApiKeys } from "@/client/use-api-keys";
import { useOrigin } from "@/client/use-origin";
import { ApiKeysSettings } from "@/components/settings/api-keys-settings";

const ApiKeysPage = () => {
  const router = useRouter();
  const { query, create, forgetCreated, revoke, ...rest } = useApiKeys();
  return (
    <ApiKeysSettings
      {...rest}
      keys={toLoadable(query)}
      onReload={() => {
        query.refetch().catch(reportError);
      }}
      onCreate={create}
      onClosePanel={forgetCreated}
      onRevoke={revoke}
      origin={useOrigin()}
      onNavigate={(href) => router.push(href)}
    />
  );
};
export default ApiKeysPage;
