import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";

type ConfirmButtonProps = {
  children: ReactNode;
  size?: "sm";
  /** The name for screen readers, where the text is the same in several rows. */
  accessibleName?: string;
  isBusy?: boolean;
  disabled?: boolean;
  title: string;
  message: string;
  confirmLabel: string;
  onConfirm: () => void;
};

/** A button that asks before it acts. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { children, size, accessibleName, isBusy, disabled, ...dialog } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        {...(size && { size })}
        aria-label={accessibleName}
        isBusy={isBusy ?? false}
        disabled={disabled}
        onClick={() => setAsking(true)}
      >
        {children}
      </Button>
      <ConfirmDialog {...dialog} open={isAsking} onOpenChange={setAsking} />
    </>
  );
};
