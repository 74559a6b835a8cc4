import { clsx } from "clsx";
import { type ReactNode, type Ref, useId } from "react";

type PageSectionProps = {
  title: string;
  /** Whether it is the whole page, with the heading of the page. */
  isPage?: boolean;
  /** What the section is for. */
  lead?: ReactNode;
  /** The heading, which can get the focus when a focused row is removed. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** A button, at the end of the heading. */
  action?: ReactNode;
  children: ReactNode;
};

/** A settings page, or a part of one, with its heading. */
export const PageSection = (props: PageSectionProps) => {
  const { title, isPage = false, lead, headingRef, action, children } = props;
  const Heading = isPage ? "h1" : "h2";
  const id = useId();
  return (
    <section aria-labelledby={id} className={clsx("grid", isPage ? "gap-6" : "gap-4")}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <Heading
            ref={headingRef}
            id={id}
            tabIndex={-1}
            className={clsx(
              "font-semibold wrap-anywhere",
              isPage ? "text-xl tracking-tight" : "text-base",
            )}
          >
            {title}
          </Heading>
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
