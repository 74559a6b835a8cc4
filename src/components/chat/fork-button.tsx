import { GitBranch } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";

/** Begins another chat with the messages up to the one that it belongs to. */
export const ForkButton = ({ onFork }: { onFork: () => void }) => (
  <IconButton
    size="sm"
    label="Branch from here"
    icon={<GitBranch aria-hidden size={15} />}
    onClick={onFork}
  />
);
