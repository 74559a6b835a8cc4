import { type ReactNode, type Ref, useId } from "react";

type SettingsSectionProps = {
  title: string;
  /** What the section is for. */
  lead?: ReactNode;
  /** The heading, which can get the focus when a focused row is removed. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** A button, at the end of the heading. */
  action?: ReactNode;
  children: ReactNode;
};

/** A part of a settings page, with its heading. */
export const SettingsSection = (props: SettingsSectionProps) => {
  const { title, lead, headingRef, action, children } = props;
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2
            ref={headingRef}
            id={id}
            tabIndex={-1}
            className="text-base font-semibold wrap-anywhere"
          >
            {title}
          </h2>
          {lead !== undefined && (
            <p className="mt-0.5 text-pretty wrap-anywhere text-muted">{lead}</p>
          )}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
};
