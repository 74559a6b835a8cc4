import { Alert } from "@/components/ui/alert";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";

type ContinueTurnProps = {
  onContinue: () => void;
  isContinuing: boolean;
  /** Why the last attempt failed. */
  error: string | undefined;
};

/** Says that a turn rests after the results of its tools, and continues it. */
const ContinueTurn = ({ onContinue, isContinuing, error }: ContinueTurnProps) => (
  <div className="grid gap-2">
    <FailureAlert title="The turn was not continued" detail={error} />
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

export default ContinueTurn;
