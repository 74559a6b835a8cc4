import { KeyRound } from "lucide-react";
import { CopyableCode } from "@/components/ui/copyable-code";

type EmptyApiKeysProps = {
  /** The address of this server. */
  origin: string;
};

/** Says what API keys are for, with a command to try one. */
export const EmptyApiKeys = ({ origin }: EmptyApiKeysProps) => (
  <div className="grid gap-3 rounded-lg border border-dashed border-border-strong p-4">
    <p className="flex items-center gap-2 font-medium">
      <KeyRound aria-hidden size={16} className="shrink-0 text-accent" />
      You have no API keys
    </p>
    <p className="text-muted">
      With a key, your scripts, bots and CI jobs can start chats here and answer the tools that you
      give them. Create a key, then list your chats from a terminal:
    </p>
    <CopyableCode
      code={`curl ${origin}/api/v1/chats -H "Authorization: Bearer $PARLEY_API_KEY"`}
      copyLabel="Copy command"
    />
  </div>
);
