import { Badge } from "@/components/ui/badge";
import type { ApiKey } from "@/contract/api-key";
import { formatCountdown, formatDate, formatTimeAgo } from "@/lib/format";
import { SCOPE_NAME } from "./api-key-scopes";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { DetailRow } from "@/components/ui/detail-list";

type ApiKeyRowProps = {
  apiKey: ApiKey;
  /** The current time, in milliseconds. */
  now: number;
  onRevoke: () => void;
  isRevoking: boolean;
};

export const ApiKeyRow = ({ apiKey, now, onRevoke, isRevoking }: ApiKeyRowProps) => {
  const { name, prefix, scope, scopes, from_environment } = apiKey;
  const { created_at, last_used_at, expires_at } = apiKey;
  const isExpired = expires_at !== null && Date.parse(expires_at) <= now;
  return (
    <DetailRow
      title={name}
      badges={
        <>
          {(scope === null ? scopes : [scope]).map((each) => (
            <Badge key={each} text={SCOPE_NAME[each]} />
          ))}
          {from_environment && <Badge text="Set on the server" />}
          {isExpired && <Badge tone="danger" text="Expired" />}
        </>
      }
      facts={[
        <code key="prefix" translate="no">
          {prefix}…
        </code>,
        `Created ${formatDate(created_at)}`,
        last_used_at === null ? "Never used" : `Last used ${formatTimeAgo(last_used_at, now)}`,
        describeExpiry(expires_at, now),
        ...describeRestriction(apiKey),
        ...(from_environment ? ["Change it with PARLEY_API_KEY on the server"] : []),
      ]}
      action={
        <ConfirmButton
          size="sm"
          aria-label={`Revoke ${name}`}
          isBusy={isRevoking}
          title={`Revoke “${name}”?`}
          message="Programs that use this key are refused from now on, and what they are receiving stops within seconds. You cannot undo this."
          confirmLabel="Revoke key"
          onConfirm={onRevoke}
        >
          Revoke
        </ConfirmButton>
      }
    />
  );
};

const describeRestriction = ({ only }: ApiKey): string[] => {
  const { tools, toolsets, labels } = only ?? {};
  const texts = labels && Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return [
    ...(tools ? [`Tools: ${listNames(tools)}`] : []),
    ...(toolsets ? [`Toolsets: ${listNames(toolsets)}`] : []),
    ...(texts ? [`Chats with ${texts.join(", ")}`] : []),
  ];
};

const listNames = (names: readonly string[]): string =>
  names.length === 0 ? "none" : names.join(", ");

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A date says too little of a key for a few minutes. */
const describeExpiry = (expiresAt: string | null, now: number): string => {
  if (expiresAt === null) return "Never expires";
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return `Expired ${formatDate(expiresAt)}`;
  return `Expires ${left < DAY_MS ? `in ${formatCountdown(left)}` : formatDate(expiresAt)}`;
};
