import { Alert } from "@/components/ui/alert";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";

type ContinueTurnProps = {
  onContinue: () => void;
  isContinuing: boolean;
  /** Why the last attempt failed. */
  error: string | undefined;
};

/** Says why a turn was not continued. */
export const ContinueError = ({ error }: Pick<ContinueTurnProps, "error">) => (
  <FailureAlert title="The turn was not continued" detail={error} />
);

/** Says that a turn rests after the results of its tools, and continues it. */
export const ContinueTurn = ({ onContinue, isContinuing, error }: ContinueTurnProps) => (
  <div className="grid gap-2">
    <ContinueError error={error} />
    <Alert
      tone="info"
      announce="status"
      title="The turn rests: the model has not read these results yet."
      action={
        <Button size="sm" isBusy={isContinuing} onClick={onContinue}>
          Continue
        </Button>
      }
    />
  </div>
);
