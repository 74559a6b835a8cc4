import { TextField } from "@/components/ui/text-field";
import type { AdvisorDraft } from "./advisor-draft";

type AdvisorLimitsProps = {
  draft: Pick<AdvisorDraft, "uses" | "tokens">;
  onChange: (change: Partial<AdvisorDraft>) => void;
  problems: { uses: string | undefined; tokens: string | undefined };
};

/** The fields for the number of uses and the length of an advice. */
export const AdvisorLimits = ({ draft, onChange, problems }: AdvisorLimitsProps) => (
  <div className="grid gap-5 sm:grid-cols-2">
    <TextField
      label="Uses per turn"
      hint={
        draft.uses.trim().startsWith("-")
          ? "With a negative number the advisor is never offered."
          : "Enter 0 for no limit."
      }
      inputMode="numeric"
      autoComplete="off"
      value={draft.uses}
      onChange={({ target }) => onChange({ uses: target.value })}
      error={problems.uses}
    />
    <TextField
      label="Output tokens per advice"
      hint="Enter 0 for the default of 16,384."
      inputMode="numeric"
      autoComplete="off"
      value={draft.tokens}
      onChange={({ target }) => onChange({ tokens: target.value })}
      error={problems.tokens}
    />
  </div>
);
