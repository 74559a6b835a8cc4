import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

type UnansweredMessageProps = { onAnswer: () => void; isBusy: boolean };

/** Says that the last message has no answer, and asks for one. */
export const UnansweredMessage = ({ onAnswer, isBusy }: UnansweredMessageProps) => (
  <Alert
    tone="info"
    announce="status"
    title="This message has no answer. Edit it, or ask for one."
    action={
      <Button size="sm" isBusy={isBusy} onClick={onAnswer}>
        Answer
      </Button>
    }
  />
);
