import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { ApiKey } from "@/contract/api-key";
import { formatDate, formatTimeAgo } from "@/lib/format";
import { SCOPE_TEXT } from "./api-key-scopes";
import { SettingsRow } from "./settings-list";

type ApiKeyRowProps = {
  apiKey: ApiKey;
  /** The current time, in milliseconds. */
  now: number;
  onRevoke: () => void;
  isRevoking: boolean;
};

export const ApiKeyRow = ({ apiKey, now, onRevoke, isRevoking }: ApiKeyRowProps) => {
  const { name, prefix, scope, from_environment, created_at, last_used_at, expires_at } = apiKey;
  const [isAsking, setAsking] = useState(false);
  const isExpired = expires_at !== null && Date.parse(expires_at) <= now;
  return (
    <>
      <SettingsRow
        title={name}
        badges={
          <>
            <Badge text={SCOPE_TEXT[scope].label} />
            {from_environment && <Badge text="Environment" />}
            {isExpired && <Badge tone="danger" text="Expired" />}
          </>
        }
        facts={[
          <code key="prefix">{prefix}…</code>,
          `Created ${formatDate(created_at)}`,
          last_used_at === null ? "Never used" : `Last used ${formatTimeAgo(last_used_at, now)}`,
          describeExpiry(expires_at, isExpired),
          ...(from_environment ? ["Change it with PARLEY_API_KEY on the server"] : []),
        ]}
        action={
          <Button
            size="sm"
            aria-label={`Revoke ${name}`}
            isBusy={isRevoking}
            onClick={() => setAsking(true)}
          >
            Revoke
          </Button>
        }
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Revoke “${name}”?`}
        message="Programs that use this key are refused from now on, and what they are receiving stops within seconds. You cannot undo this."
        confirmLabel="Revoke key"
        onConfirm={onRevoke}
      />
    </>
  );
};

const describeExpiry = (expiresAt: string | null, isExpired: boolean): string => {
  if (expiresAt === null) return "Never expires";
  return `${isExpired ? "Expired" : "Expires"} ${formatDate(expiresAt)}`;
};
