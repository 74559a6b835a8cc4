import { clsx } from "clsx";

const TONE = {
  neutral: "bg-hover text-text",
  accent: "bg-accent-soft text-accent-strong",
  danger: "bg-danger-soft text-danger",
} as const;

type BadgeProps = { tone?: keyof typeof TONE; text: string };

/** One or two words that mark a row of a list. */
export const Badge = ({ tone = "neutral", text }: BadgeProps) => (
  <span
    className={clsx(
      "inline-block shrink-0 rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap",
      TONE[tone],
    )}
  >
    {text}
  </span>
);
