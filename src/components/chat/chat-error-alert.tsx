import { RefreshCw } from "lucide-react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { ChatError } from "@/contract/chat-error";
import { toErrorTitle } from "@/components/tool-cards/error-title";

type ChatErrorAlertProps = { error: ChatError; onRetry: () => void; isRetrying: boolean };

/** Why the last turn has failed. */
export const ChatErrorAlert = ({ error, onRetry, isRetrying }: ChatErrorAlertProps) => (
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
    <p>{error.message}</p>
    {error.detail !== undefined && error.detail !== error.message && (
      <p className="mt-1 font-mono text-xs text-muted">{error.detail}</p>
    )}
    {error.status_code !== undefined && (
      <p className="mt-1 text-xs text-muted">HTTP {error.status_code}</p>
    )}
  </Alert>
);
