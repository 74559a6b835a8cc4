import { Fragment } from "react";
import { RefreshCw } from "lucide-react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { NavLink } from "@/components/ui/nav-link";
import type { ChatError } from "@/contract/chat-error";
import { toErrorTitle } from "@/components/tool-cards/error-title";

type ChatErrorAlertProps = {
  error: ChatError;
  onRetry: () => void;
  isRetrying: boolean;
  onNavigate: (href: string) => void;
};

/** What the server's messages call the page on which models are set up. */
const MODELS_PAGE = "Settings > Models";

/** Why the last turn has failed. */
const ChatErrorAlert = ({ error, onRetry, isRetrying, onNavigate }: ChatErrorAlertProps) => (
  <Alert
    tone="danger"
    announce="alert"
    title={toErrorTitle(error.kind)}
    action={
      <Button
        size="sm"
        isBusy={isRetrying}
        onClick={onRetry}
        icon={<RefreshCw aria-hidden size={14} />}
      >
        Retry
      </Button>
    }
  >
    <p>
      {error.message.split(MODELS_PAGE).map((text, index) => (
        <Fragment key={index}>
          {index > 0 && (
            <NavLink href="/settings/models" onNavigate={onNavigate} className="underline">
              {MODELS_PAGE}
            </NavLink>
          )}
          {text}
        </Fragment>
      ))}
    </p>
    {error.detail !== undefined && error.detail !== error.message && (
      <p className="mt-1 font-mono text-xs text-muted">{error.detail}</p>
    )}
    {error.status_code !== undefined && (
      <p className="mt-1 text-xs text-muted">HTTP {error.status_code}</p>
    )}
  </Alert>
);

export default ChatErrorAlert;
