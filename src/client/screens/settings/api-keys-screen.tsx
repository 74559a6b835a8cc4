"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useApiKeys } from "@/client/use-api-keys";
import { useNavigate } from "@/client/use-navigate";
import { useOrigin } from "@/client/use-origin";
import { ApiKeysSettings } from "@/components/account/api-keys-settings";

export const ApiKeysScreen = () => {
  const navigate = useNavigate();
  const { query, create, forgetCreated, revoke, ...rest } = useApiKeys();
  return (
    <ApiKeysSettings
      {...rest}
      keys={toLoadable(query)}
      onReload={toReload(query)}
      onCreate={create}
      onClosePanel={forgetCreated}
      onRevoke={revoke}
      origin={useOrigin()}
      onNavigate={navigate}
    />
  );
};
