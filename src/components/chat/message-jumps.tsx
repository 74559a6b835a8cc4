import { ArrowDown, ArrowUpToLine, ChevronDown, ChevronUp } from "lucide-react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";

type MessageJumpsProps = {
  /** Whether all messages of the chat are loading, to get to the first one. */
  isLoading: boolean;
  onFirst: () => void;
  onPrevious: () => void;
  onNext: () => void;
  onLatest: () => void;
};

/** Buttons that move through a long chat. */
const MessageJumps = ({ isLoading, ...on }: MessageJumpsProps) => (
  <div
    data-screen-only
    className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center px-2"
  >
    <div
      role="group"
      aria-label="Move through the chat"
      className="pointer-events-auto flex items-center gap-0.5 rounded-md border border-border-strong bg-raised p-0.5 shadow-popup"
    >
      <IconButton
        size="sm"
        label="First message"
        aria-busy={isLoading}
        icon={<ArrowUpToLine aria-hidden size={14} />}
        onClick={on.onFirst}
      />
      <IconButton
        size="sm"
        label="Your previous message"
        icon={<ChevronUp aria-hidden size={16} />}
        onClick={on.onPrevious}
      />
      <IconButton
        size="sm"
        label="Your next message"
        icon={<ChevronDown aria-hidden size={16} />}
        onClick={on.onNext}
      />
      <Button
        size="sm"
        variant="ghost"
        icon={<ArrowDown aria-hidden size={14} />}
        onClick={on.onLatest}
      >
        Jump to latest
      </Button>
    </div>
  </div>
);
export default MessageJumps;
