import { Button } from "@/components/ui/button";

/** What a person may say to a server instead of an answer. */
export type Refusal = "decline" | "cancel";

const NOTE: Record<Refusal, string> = {
  decline: "Decline: the server is told that you do not want to answer.",
  cancel: "Cancel: the server is told that you have closed the question.",
};

type RefusalButtonsProps = { onRefuse: (refusal: Refusal) => void; isDisabled: boolean };

/** The other ways to close a question of a server. */
export const RefusalButtons = ({ onRefuse, isDisabled }: RefusalButtonsProps) => (
  <div className="mr-auto flex gap-2">
    <Button variant="ghost" disabled={isDisabled} onClick={() => onRefuse("decline")}>
      Decline
    </Button>
    <Button variant="ghost" disabled={isDisabled} onClick={() => onRefuse("cancel")}>
      Cancel
    </Button>
  </div>
);

type RefusalNoteProps = { refusal: Refusal; onRevoke: () => void; isDisabled: boolean };

/** Stands in place of the fields of a question that is refused, until the answers are sent. */
export const RefusalNote = ({ refusal, onRevoke, isDisabled }: RefusalNoteProps) => (
  <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-surface px-3 py-3">
    <p role="status" className="min-w-0 text-sm">
      {NOTE[refusal]}
    </p>
    <Button size="sm" disabled={isDisabled} onClick={onRevoke}>
      Answer instead
    </Button>
  </div>
);
