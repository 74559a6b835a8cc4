import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

export type AlertTone = "info" | "success" | "warning" | "danger";

const TONE = {
  info: { icon: Info, box: "bg-surface border-border", mark: "text-accent" },
  success: { icon: CircleCheck, box: "bg-success-soft border-success/30", mark: "text-success" },
  warning: { icon: TriangleAlert, box: "bg-warning-soft border-warning/30", mark: "text-warning" },
  danger: { icon: CircleAlert, box: "bg-danger-soft border-danger/30", mark: "text-danger" },
} as const;

type AlertProps = {
  tone: AlertTone;
  title?: ReactNode;
  children?: ReactNode;
  /** Buttons or links, at the end. */
  action?: ReactNode;
  /** How screen readers announce it: `alert` at once, `status` at the next pause, `none` not at all. */
  announce?: "alert" | "status" | "none";
};

export const Alert = ({ tone, title, children, action, announce = "none" }: AlertProps) => {
  const { icon: Icon, box, mark } = TONE[tone];
  return (
    <div
      role={announce === "none" ? undefined : announce}
      className={clsx("flex items-start gap-2 rounded-lg border px-3 py-3 text-sm", box)}
    >
      <Icon aria-hidden size={16} className={clsx("mt-0.5 shrink-0", mark)} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48 break-words">
          {title !== undefined && <p className="font-medium">{title}</p>}
          {children}
        </div>
        {action !== undefined && <div className="flex shrink-0 gap-2">{action}</div>}
      </div>
    </div>
  );
};
