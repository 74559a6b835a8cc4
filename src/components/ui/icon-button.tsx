import { clsx } from "clsx";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { Tooltip } from "./tooltip";

type IconButtonProps = Omit<
  ComponentPropsWithRef<"button">,
  "className" | "style" | "children" | "aria-label"
> & {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  icon: ReactNode;
  variant?: "ghost" | "secondary" | "primary";
  size?: "sm" | "md";
};

const VARIANT = {
  ghost:
    "border-transparent text-muted hover:bg-hover hover:text-text data-popup-open:bg-hover disabled:opacity-50",
  secondary: "border-border-strong bg-raised text-text hover:bg-hover disabled:opacity-50",
  // Gray, as a lighter color would still look like one that can be pressed.
  primary:
    "border-transparent bg-accent text-accent-contrast hover:bg-accent-strong disabled:bg-hover disabled:text-muted",
};

const SIZE = {
  sm: "size-7 rounded-sm pointer-coarse:size-9",
  md: "size-9 rounded-md pointer-coarse:size-10",
};

export const IconButton = ({
  label,
  icon,
  variant = "ghost",
  size = "md",
  type = "button",
  ...rest
}: IconButtonProps) => (
  <Tooltip text={label}>
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={clsx(
        "inline-flex shrink-0 items-center justify-center border transition-colors",
        "disabled:cursor-not-allowed",
        VARIANT[variant],
        SIZE[size],
      )}
    >
      {icon}
    </button>
  </Tooltip>
);
