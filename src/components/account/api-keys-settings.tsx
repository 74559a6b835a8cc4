"use client";
import { Plus } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { importPart } from "@/lib/import-part";
import { useFocusFallback } from "@/components/ui/use-focus-fallback";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";
import { FormDrawer } from "@/components/ui/form-drawer";
import { NavLink } from "@/components/ui/nav-link";
import { useNow } from "@/components/ui/use-now";
import type { ApiKey, CreateApiKeyInput, NewApiKey } from "@/contract/api-key";
import type { Problem } from "@/contract/problem";
import { ApiKeyRow } from "./api-key-row";
import { CreatedApiKey } from "./created-api-key";
import { EmptyApiKeys } from "./empty-api-keys";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { DetailList } from "@/components/ui/detail-list";
import { PageSection } from "@/components/ui/page-section";

const ApiKeyForm = lazy(() => importPart(() => import("./api-key-form")));

type NewKeyProps = {
  onCreate: (key: CreateApiKeyInput) => void;
  isCreating: boolean;
  /** Why the last key was not created. */
  createProblem: Problem | undefined;
  /** The key that was just created; shown until the panel is closed. */
  createdKey: NewApiKey | undefined;
  /** Forgets the created key and the problem. */
  onClosePanel: () => void;
};

type ApiKeysSettingsProps = NewKeyProps & {
  keys: Loadable<readonly ApiKey[]>;
  onReload: () => void;
  onRevoke: (keyId: string) => void;
  revokingId: string | undefined;
  /** Whether the last revocation succeeded. */
  isRevoked: boolean;
  revokeProblem: Problem | undefined;
  /** The address of this server, for the example. */
  origin: string;
  onNavigate: (href: string) => void;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

/** A key may be for seconds. */
const TICK_MS = 1_000;

/** Lists the API keys of the user, creates and revokes them. */
export const ApiKeysSettings = (props: ApiKeysSettingsProps) => {
  const { keys, onReload, onRevoke, revokingId, isRevoked, revokeProblem, origin } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  const now = useNow(TICK_MS, props.now) ?? 0;
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [revokedName, setRevokedName] = useState("");
  const revoke = ({ id, name }: ApiKey): void => {
    setRevokedName(name);
    onRevoke(id);
  };
  return (
    <PageSection
      isPage
      title="API keys"
      lead={<Lead onNavigate={props.onNavigate} />}
      headingRef={heading}
      action={
        !props.createdKey && (
          <Button
            variant="primary"
            icon={<Plus aria-hidden size={16} />}
            onClick={() => setPanelOpen(true)}
          >
            New key
          </Button>
        )
      }
    >
      <NewKeyPanel {...props} isOpen={isPanelOpen} onClose={() => setPanelOpen(false)} />
      <FailureAlert title={`“${revokedName}” was not revoked`} detail={revokeProblem?.detail} />
      <p role="status" className="sr-only">
        {isRevoked && `“${revokedName}” is revoked.`}
      </p>
      <Loaded loadable={keys} what="API keys" onReload={onReload}>
        {(list) =>
          list.length === 0 ? (
            !props.createdKey && <EmptyApiKeys origin={origin} />
          ) : (
            <DetailList>
              {list.map((key) => (
                <ApiKeyRow
                  key={key.id}
                  apiKey={key}
                  now={now}
                  onRevoke={() => revoke(key)}
                  isRevoking={key.id === revokingId}
                />
              ))}
            </DetailList>
          )
        }
      </Loaded>
    </PageSection>
  );
};

const Lead = ({ onNavigate }: { onNavigate: (href: string) => void }) => (
  <>
    A program with a key acts as you, as far as the scope of the key allows. What it can request is
    in the{" "}
    <NavLink
      href="/docs"
      onNavigate={onNavigate}
      className="font-medium text-accent underline underline-offset-2"
    >
      API reference
    </NavLink>
    .
  </>
);

/** The form for a new key, then the key. */
const NewKeyPanel = (
  props: NewKeyProps & { isOpen: boolean; onClose: () => void; onNavigate: (href: string) => void },
) => {
  const { onCreate, isCreating, createProblem, createdKey, onClosePanel, isOpen, onClose } = props;
  const close = () => {
    onClose();
    onClosePanel();
  };
  return (
    <>
      {createdKey && (
        <CreatedApiKey apiKey={createdKey} onClose={close} onNavigate={props.onNavigate} />
      )}
      <FormDrawer open={isOpen && !createdKey} title="New API key" onClose={close}>
        {(form) => (
          <Suspense>
            <ApiKeyForm {...form} onSubmit={onCreate} isBusy={isCreating} problem={createProblem} />
          </Suspense>
        )}
      </FormDrawer>
    </>
  );
};
