import { TextField } from "@/components/ui/text-field";
import type { AdvisorDraft } from "./advisor-draft";

type AdvisorLimitsProps = {
  draft: Pick<AdvisorDraft, "uses" | "tokens">;
  onChange: (change: Partial<AdvisorDraft>) => void;
  problems: { uses: string | undefined; tokens: string | undefined };
};

/** How often the advisor may be asked, and how much it may say. */
export const AdvisorLimits = ({ draft, onChange, problems }: AdvisorLimitsProps) => (
  <div className="grid gap-5 sm:grid-cols-2">
    <TextField
      label="Uses per turn"
      hint={
        draft.uses.trim().startsWith("-")
          ? "Below 0 the advisor is never offered."
          : "0 is without a limit."
      }
      inputMode="numeric"
      autoComplete="off"
      value={draft.uses}
      onChange={({ target }) => onChange({ uses: target.value })}
      error={problems.uses}
    />
    <TextField
      label="Output tokens per advice"
      hint="0 is the default of 16,384."
      inputMode="numeric"
      autoComplete="off"
      value={draft.tokens}
      onChange={({ target }) => onChange({ tokens: target.value })}
      error={problems.tokens}
    />
  </div>
);
