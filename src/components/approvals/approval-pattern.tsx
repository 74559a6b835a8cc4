import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { CODE_INPUT } from "@/components/ui/code-input";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { TextField } from "@/components/ui/text-field";
import { findPatternMistake, matchesPattern, suggestPattern } from "@/lib/command-pattern";

/** Where later calls run without asking: in the chat, or in all chats of the person. */
export type PatternScope = "chat" | "tool";

type ApprovalPatternProps = {
  /** A simple command, which a pattern can cover. */
  command: string;
  onApprove: (always: { scope: PatternScope; pattern: string }) => void;
  onBack: () => void;
  isDeciding: boolean;
};

/** Asks which later commands run without asking, by a pattern that the person sees and changes. */
export const ApprovalPattern = (props: ApprovalPatternProps) => {
  const { command, onApprove, onBack, isDeciding } = props;
  const id = useId();
  const [pattern, setPattern] = useState(() => suggestPattern(command) ?? command);
  const [scope, setScope] = useState<PatternScope>("chat");
  const mistake = findMistake(pattern, command);
  return (
    <div role="group" aria-labelledby={id} className="grid min-w-0 gap-3 rounded-lg border p-3">
      <p id={id} className="text-sm">
        From now on, commands that match run without asking, with the same folder and settings as
        this one.
      </p>
      <TextField
        // The person has just opened this panel.
        autoFocus
        label="Commands"
        hint="* at the end stands for one or more words of any kind. A command with special characters always asks."
        error={mistake && `The pattern ${mistake}.`}
        {...CODE_INPUT}
        translate="no"
        value={pattern}
        disabled={isDeciding}
        onChange={({ target }) => setPattern(target.value)}
      />
      <div className="flex">
        <SegmentedControl<PatternScope>
          label="Where"
          options={[
            { value: "chat", label: "In this chat" },
            { value: "tool", label: "In all my chats" },
          ]}
          value={scope}
          onChange={setScope}
          disabled={isDeciding}
        />
      </div>
      <p className="text-note text-muted">You can revoke this under Settings, Tools.</p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          isBusy={isDeciding}
          disabled={mistake !== undefined}
          onClick={() => onApprove({ scope, pattern: pattern.trim() })}
        >
          Approve always
        </Button>
        <Button variant="ghost" disabled={isDeciding} onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
};

const findMistake = (pattern: string, command: string): string | undefined =>
  findPatternMistake(pattern) ??
  (matchesPattern(pattern, command) ? undefined : "does not match this command");
