"use client";
import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "./copy-text";
import { IconButton } from "./icon-button";

/** Long enough to be read, short enough to copy again. */
const SHOWN_MS = 2_000;

type CopyButtonProps = {
  /** What is copied, in words: "Copy message". */
  label: string;
  text: string;
};

export const CopyButton = ({ label, text }: CopyButtonProps) => {
  const [outcome, setOutcome] = useState<"copied" | "failed" | undefined>();
  // Syncs with the browser's timer, which puts the first icon back.
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    copyText(text).then(
      (copied) => setOutcome(copied ? "copied" : "failed"),
      () => setOutcome("failed"),
    );
  };
  return (
    <IconButton
      size="sm"
      label={outcome === undefined ? label : outcome === "copied" ? "Copied" : "Copying failed"}
      icon={<Mark outcome={outcome} />}
      onClick={copy}
    />
  );
};

const Mark = ({ outcome }: { outcome: "copied" | "failed" | undefined }) => {
  if (outcome === "copied") return <Check aria-hidden size={15} className="text-success" />;
  if (outcome === "failed") return <X aria-hidden size={15} className="text-danger" />;
  return <Copy aria-hidden size={15} />;
};
