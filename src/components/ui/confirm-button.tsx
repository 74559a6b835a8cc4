import type { ComponentProps } from "react";
import { Button } from "./button";
import { useConfirm } from "./use-confirm";

type ConfirmButtonProps = Omit<ComponentProps<typeof Button>, "onClick"> & {
  title: string;
  message: string;
  confirmLabel: string;
  onConfirm: () => void;
};

/** A button that asks before it acts. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { title, message, confirmLabel, onConfirm, ...button } = props;
  const [dialog, ask] = useConfirm();
  return (
    <>
      <Button {...button} onClick={() => ask({ title, message, confirmLabel }, onConfirm)} />
      {dialog}
    </>
  );
};
