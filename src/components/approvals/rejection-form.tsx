import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-area";

/** The limit of the API. */
const MAX_REASON_LENGTH = 2_000;

type RejectionFormProps = {
  reason: string;
  onChange: (reason: string) => void;
  /** Receives the reason without spaces around it; it may be empty. */
  onReject: (reason: string) => void;
  onBack: () => void;
  isDeciding: boolean;
  /** Label of the button that rejects. */
  label?: string;
};

/** Asks for the reason of a rejection. */
export const RejectionForm = (props: RejectionFormProps) => {
  const { reason, onChange, onReject, onBack, isDeciding, label = "Reject" } = props;
  return (
    <div className="grid gap-3">
      <TextArea
        // The person has just opened this field.
        autoFocus
        label="Reason"
        hint="Optional. The model reads it."
        rows={2}
        maxLength={MAX_REASON_LENGTH}
        value={reason}
        disabled={isDeciding}
        onChange={({ target }) => onChange(target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="danger" isBusy={isDeciding} onClick={() => onReject(reason.trim())}>
          {label}
        </Button>
        <Button variant="ghost" disabled={isDeciding} onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
};
