"use client";
import { useSyncExternalStore } from "react";
import { toLoadable } from "@/app/(app)/settings/to-loadable";
import { useApiKeys } from "@/client/use-api-keys";
import { ApiKeysSettings } from "@/components/settings/api-keys-settings";

export const ApiKeysScreen = () => {
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
    />
  );
};

/** Returns the address of this server as the browser knows it; empty on the server. */
const useOrigin = (): string =>
  useSyncExternalStore(
    subscribeToNothing,
    () => window.location.origin,
    () => "",
  );

const subscribeToNothing = () => () => undefined;
