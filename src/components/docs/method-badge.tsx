import { clsx } from "clsx";

const TONE: Readonly<Record<string, string>> = {
  GET: "bg-hover text-text",
  DELETE: "bg-danger-soft text-danger",
};

/** The method of a request; one that removes something has a color of its own. */
export const MethodBadge = ({ method }: { method: string }) => (
  <span
    className={clsx(
      "inline-block w-14 shrink-0 rounded-sm py-0.5 text-center font-mono text-xs font-medium",
      TONE[method] ?? "bg-accent-soft text-accent-strong",
    )}
  >
    {method}
  </span>
);
