import type { ReactNode } from "react";

/** A framed list of rows. */
export const SettingsList = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y rounded-lg border">{children}</ul>
);

type SettingsRowProps = {
  title: string;
  /** Marks after the title. */
  badges?: ReactNode;
  /** Short texts in one line, as far as it is wide enough. */
  facts: readonly ReactNode[];
  /** A button, at the end. */
  action?: ReactNode;
};

export const SettingsRow = ({ title, badges, facts, action }: SettingsRowProps) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
    <div className="min-w-0 flex-1 basis-52">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
        {badges}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
        {facts.map((fact, index) => (
          <span key={index}>{fact}</span>
        ))}
      </p>
    </div>
    {action}
  </li>
);
