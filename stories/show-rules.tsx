import { Check, X } from "lucide-react";
import type { ReactNode } from "react";

/** A sentence, and what it is about as it would look. */
type Rule = { text: string; example?: ReactNode };

export type Rules = { dos: readonly Rule[]; donts: readonly Rule[] };

const ICON = {
  Do: <Check aria-hidden size={16} className="mt-0.5 shrink-0 text-success" />,
  "Don’t": <X aria-hidden size={16} className="mt-0.5 shrink-0 text-danger" />,
} as const;

const RuleList = ({ kind, rules }: { kind: keyof typeof ICON; rules: readonly Rule[] }) => (
  <section aria-label={kind} className="grid min-w-0 content-start gap-4">
    <h2 className="font-semibold">{kind}</h2>
    {rules.map(({ text, example }) => (
      <figure key={text} className="grid min-w-0 gap-3 rounded-lg border p-4">
        {example !== undefined && (
          // Examples are looked at: their names may repeat, and their buttons lead nowhere.
          <div inert className="min-w-0">
            {example}
          </div>
        )}
        <figcaption className="flex items-start gap-2">
          {ICON[kind]}
          <span className="min-w-0">{text}</span>
        </figcaption>
      </figure>
    ))}
  </section>
);

/**
 * Creates the story that says how a component is used, and how not. It asserts nothing, so its tag is `!test`: a test of
 * all stories renders the rules.
 */
export const showRules = (rules: Rules) => ({
  /** For that test. */
  rules,
  render: () => (
    <div className="grid max-w-4xl gap-4 sm:grid-cols-2">
      <RuleList kind="Do" rules={rules.dos} />
      <RuleList kind="Don’t" rules={rules.donts} />
    </div>
  ),
});
