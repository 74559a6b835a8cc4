import type { ComponentProps, ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/contract/problem";

type SettingsFormProps = Pick<ComponentProps<"form">, "ref" | "onSubmit"> & {
  /** What is edited. */
  label: string;
  submitLabel?: string;
  onCancel: () => void;
  isBusy: boolean;
  /** Why the last attempt failed. */
  problem: Problem | undefined;
  problemTitle: string;
  children: ReactNode;
};

/** The frame of a form that adds or changes one thing of a list. */
export const SettingsForm = ({
  ref,
  onSubmit,
  label,
  submitLabel = "Save",
  onCancel,
  isBusy,
  problem,
  problemTitle,
  children,
}: SettingsFormProps) => {
  return (
    <form
      ref={ref}
      noValidate
      onSubmit={onSubmit}
      aria-label={label}
      className="grid gap-5 rounded-lg border bg-surface p-4"
    >
      {problem !== undefined && (
        <Alert tone="danger" announce="alert" title={problemTitle}>
          {problem.detail}
        </Alert>
      )}
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {submitLabel}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
};
