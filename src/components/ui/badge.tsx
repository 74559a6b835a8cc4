import { clsx } from "clsx";
import type { ReactNode } from "react";

const TONE = {
  neutral: "bg-hover text-text",
  accent: "bg-accent-soft text-accent-strong",
  success: "bg-success-soft text-success",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
};

type BadgeProps = { tone: keyof typeof TONE; children: ReactNode };

export const Badge = ({ tone, children }: BadgeProps) => (
  <span
    className={clsx(
      "inline-flex h-5 shrink-0 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap",
      TONE[tone],
    )}
  >
    {children}
  </span>
);
