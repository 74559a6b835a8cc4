import { useState } from "react";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { CodeSample } from "@/components/ui/code-sample";
import { NavLink } from "@/components/ui/nav-link";
import { hasAnswer, toCurlCode, toTypeScriptCode } from "./to-code";
import type { ToolTrial } from "./tool-draft";

const LANGUAGES = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
] as const;
type Language = (typeof LANGUAGES)[number]["value"];

type ToolCodeProps = {
  /** Undefined while a field is at fault. */
  trial: ToolTrial | undefined;
  /** The address of this server. */
  origin: string;
  onNavigate: (href: string) => void;
};

/** The same chat and answer as a program makes them. */
export const ToolCode = ({ trial, origin, onNavigate }: ToolCodeProps) => {
  const [language, setLanguage] = useState<Language>("curl");
  const toCode = language === "curl" ? toCurlCode : toTypeScriptCode;
  const code = trial && hasAnswer(trial) ? toCode(trial, origin) : undefined;
  return (
    <section aria-label="Code" className="grid min-w-0 gap-3">
      <p className="text-muted">
        A program declares the tool, waits for the call and answers it. It needs{" "}
        <NavLink
          href="/settings/api-keys"
          onNavigate={onNavigate}
          className="font-medium text-accent underline underline-offset-2"
        >
          an API key
        </NavLink>
        ; the{" "}
        <NavLink
          href="/docs"
          onNavigate={onNavigate}
          className="font-medium text-accent underline underline-offset-2"
        >
          API reference
        </NavLink>{" "}
        has all requests.
      </p>
      <SegmentedControl
        label="Language"
        options={LANGUAGES}
        value={language}
        onChange={setLanguage}
        disabled={false}
      />
      {code === undefined ? (
        <p className="rounded-lg border bg-surface px-3 py-3 text-muted">
          {trial
            ? "The code appears here when the form is filled in: it sends what you entered there."
            : "The code appears here when all fields are correct."}
        </p>
      ) : (
        <CodeSample
          label={language === "curl" ? "Shell script" : "TypeScript program"}
          code={code}
          copyLabel="Copy code"
        />
      )}
    </section>
  );
};
