"use client";
import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "./copy-text";
import { IconButton } from "./icon-button";

/** How long the outcome is shown. */
const OUTCOME_MS = 2_000;

type CopyButtonProps = {
  /** Accessible name, such as "Copy message". */
  label: string;
  text: string;
};

export const CopyButton = ({ label, text }: CopyButtonProps) => {
  const [outcome, setOutcome] = useState<"copied" | "failed" | undefined>();
  // Syncs with a timer that restores the copy icon.
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), OUTCOME_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    copyText(text).then(
      (isCopied) => setOutcome(isCopied ? "copied" : "failed"),
      () => setOutcome("failed"),
    );
  };
  return (
    <IconButton
      size="sm"
      label={outcome === undefined ? label : outcome === "copied" ? "Copied" : "Copying failed"}
      icon={<OutcomeIcon outcome={outcome} />}
      onClick={copy}
    />
  );
};

const OutcomeIcon = ({ outcome }: { outcome: "copied" | "failed" | undefined }) => {
  if (outcome === "copied") return <Check aria-hidden size={15} className="text-success" />;
  if (outcome === "failed") return <X aria-hidden size={15} className="text-danger" />;
  return <Copy aria-hidden size={15} />;
};
