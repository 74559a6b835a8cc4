import { clsx } from "clsx";
import type { ReactNode } from "react";

type EmptyStateKind = "missing" | "empty" | "no-results" | "unreachable" | "failed";

type EmptyStateProps = {
  kind: EmptyStateKind;
  title: string;
  /** What happened, or what to do. */
  text: string;
  /** The heading of a page, or a note in a list. */
  size: "page" | "list";
  /** Announces it at once; for a state that replaces what was shown. */
  announce?: "alert" | "status" | undefined;
  /** Buttons or links that lead on. */
  children?: ReactNode;
};

/** Says why there is nothing to show, with a drawing, and what to do next. */
export const EmptyState = ({ kind, title, text, size, announce, children }: EmptyStateProps) => {
  const Title = size === "page" ? "h1" : "p";
  return (
    <div
      className={clsx(
        "flex flex-col items-center text-center",
        size === "page" ? "flex-1 justify-center gap-6 px-4 py-10" : "gap-2 px-2 py-6",
      )}
    >
      <Drawing kind={kind} width={size === "page" ? 144 : 72} />
      <div role={announce} className="max-w-md min-w-0 wrap-anywhere">
        <Title
          className={
            size === "page" ? "text-xl font-semibold tracking-tight text-balance" : "font-medium"
          }
        >
          {title}
        </Title>
        <p className={clsx("mt-1 text-pretty text-muted", size === "list" && "text-note")}>
          {text}
        </p>
      </div>
      {children !== undefined && (
        <div className="flex flex-wrap justify-center gap-2">{children}</div>
      )}
    </div>
  );
};

/** Two speech bubbles, as in the mark of the product; what is in them depends on the kind. */
const Drawing = ({ kind, width }: { kind: EmptyStateKind; width: number }) => (
  <svg
    aria-hidden
    viewBox="0 0 144 96"
    width={width}
    height={(width * 2) / 3}
    fill="none"
    strokeWidth="2.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    className="shrink-0 stroke-border-strong"
  >
    <path
      className="fill-surface"
      d="M14 12h68a6 6 0 0 1 6 6v32a6 6 0 0 1-6 6H40L26 68V56H14a6 6 0 0 1-6-6V18a6 6 0 0 1 6-6Z"
    />
    {INSIDE[kind]}
  </svg>
);

const ANSWER =
  "M78 40h48a6 6 0 0 1 6 6v24a6 6 0 0 1-6 6h-8v10L106 76H78a6 6 0 0 1-6-6V46a6 6 0 0 1 6-6Z";

const INSIDE: Record<EmptyStateKind, ReactNode> = {
  missing: (
    <>
      <path d="M24 28h40M24 38h24" />
      <path d={ANSWER} strokeDasharray="5 6" className="fill-bg stroke-accent" />
      <path d="M97 53c0-6 10-6 10 0 0 4-5 4-5 8M102 67v.1" className="stroke-accent" />
    </>
  ),
  empty: (
    <>
      <path d="M24 28h40M24 38h24" />
      <path d={ANSWER} className="fill-accent-soft stroke-accent" />
      <path d="M92 58v.1M102 58v.1M112 58v.1" strokeWidth="5" className="stroke-accent" />
    </>
  ),
  "no-results": (
    <>
      <path d="M24 28h40M24 38h24" />
      <circle cx="98" cy="54" r="18" className="fill-bg stroke-accent" />
      <path d="m111 67 14 14M91 54h14" className="stroke-accent" />
    </>
  ),
  unreachable: (
    <>
      <path d="M24 28h40M24 38h24" />
      <path d={ANSWER} className="fill-bg" />
      <path d="m88 64 28-12M84 84 124 34" className="stroke-warning" />
    </>
  ),
  failed: (
    <>
      <path d="M24 28h12M24 38h24M48 28h16" />
      <path d={ANSWER} className="fill-danger-soft stroke-danger" />
      <path d="M102 49v10M102 67v.1" className="stroke-danger" />
    </>
  ),
};
