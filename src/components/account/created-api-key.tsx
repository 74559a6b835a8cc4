import { useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CopyableCode } from "@/components/ui/copyable-code";
import { NavLink } from "@/components/ui/nav-link";
import type { NewApiKey } from "@/contract/api-key";

type CreatedApiKeyProps = {
  apiKey: NewApiKey;
  onClose: () => void;
  onNavigate: (href: string) => void;
};

/** Shows a new key with its text, which the server never returns again. */
export const CreatedApiKey = ({ apiKey, onClose, onNavigate }: CreatedApiKeyProps) => {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  // Syncs with the focus of the browser: the form that had it is removed.
  useEffect(() => panel.current?.focus(), []);
  return (
    <div
      ref={panel}
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className="grid gap-3 rounded-lg border border-success/30 bg-success-soft p-4"
    >
      <div className="min-w-0">
        <h2 id={`${id}-title`} className="font-medium break-words">
          Your key “{apiKey.name}” is ready
        </h2>
        <p id={`${id}-text`}>Copy it now and keep it secret. It cannot be shown again.</p>
      </div>
      <CopyableCode code={apiKey.key} copyLabel="Copy key" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={onClose}>Done</Button>
        <NavLink
          href="/docs"
          onNavigate={onNavigate}
          className="font-medium text-accent-strong underline underline-offset-2"
        >
          Try it: the API reference has it filled in
        </NavLink>
      </div>
    </div>
  );
};
