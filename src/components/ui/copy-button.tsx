"use client";
import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
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

/** Copies text to the clipboard; falls back to a selection where the Clipboard API needs HTTPS. */
const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
};

const copyBySelection = (text: string): boolean => {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
};
