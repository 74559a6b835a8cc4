import { Clock } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";

type TemporaryMarkProps = {
  /** When the chat is deleted if nothing changes. */
  expiresAt: string;
  onKeep: () => void;
};

/** Says until when a temporary chat is kept, and keeps it. */
const TemporaryMark = ({ expiresAt, onKeep }: TemporaryMarkProps) => (
  <Popover
    title="Temporary chat"
    trigger={
      <button
        type="button"
        className="flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs text-muted transition-colors hover:bg-hover hover:text-text data-popup-open:bg-hover pointer-coarse:h-10"
      >
        <Clock aria-hidden size={15} />
        <span className="max-sm:sr-only">Temporary</span>
      </button>
    }
  >
    <p className="mb-3">
      It is in no list and no search, and is deleted with its files on{" "}
      <time dateTime={expiresAt}>{formatTime(expiresAt)}</time> if nothing changes until then.
    </p>
    <Button size="sm" onClick={onKeep}>
      Keep this chat
    </Button>
  </Popover>
);
export default TemporaryMark;

/** In the time zone of the person: the popover opens in the browser only. */
const formatTime = (iso: string): string =>
  new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
