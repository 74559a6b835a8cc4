import { clsx } from "clsx";
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from "react";
import { Spinner } from "./spinner";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const VARIANT: Record<ButtonVariant, string> = {
  primary: "bg-accent text-accent-contrast border-transparent hover:bg-accent-strong",
  secondary: "bg-raised text-text border-border-strong hover:bg-hover",
  ghost: "bg-transparent text-text border-transparent hover:bg-hover",
  danger: "bg-danger text-danger-contrast border-transparent hover:bg-danger-strong",
};

const SIZE: Record<ButtonSize, string> = {
  sm: "h-7 px-2 text-xs gap-1.5 rounded-sm pointer-coarse:h-9",
  md: "h-9 px-4 text-sm gap-2 rounded-md pointer-coarse:h-10",
  lg: "h-11 px-6 text-base gap-2 rounded-md",
};

type ButtonProps = Omit<ComponentPropsWithRef<"button">, "className" | "style"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows a spinner and ignores presses; the button keeps its width and focus. */
  isBusy?: boolean;
  icon?: ReactNode;
};

export const Button = ({
  variant = "secondary",
  size = "md",
  isBusy = false,
  icon,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) => {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={handleClick}
      className={clsx(
        "relative inline-flex shrink-0 items-center justify-center border font-medium whitespace-nowrap transition-colors",
        "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-progress",
        VARIANT[variant],
        SIZE[size],
      )}
    >
      <span className={clsx("inline-flex items-center gap-[inherit]", isBusy && "opacity-0")}>
        {icon}
        {children}
      </span>
      {isBusy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  );
};
