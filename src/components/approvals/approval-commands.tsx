import { BreakableText } from "@/components/ui/breakable-text";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";
import { formatCommandLines } from "@/lib/command-lines";
import { escapeInvisible } from "@/lib/escape-invisible";

/** The commands of a recipe, as they will run; none for other tools. */
export const listCommands = (scope: JsonValue): string[][] => {
  const commands = isJsonObject(scope) ? scope.commands : undefined;
  if (!Array.isArray(commands)) return [];
  return commands.flatMap((argv) => (isTextList(argv) ? [argv] : []));
};

const isTextList = (value: JsonValue): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

/** Shows the final commands of a call, one per line; invisible characters are shown by their codes. */
export const ApprovalCommands = ({ scope }: { scope: JsonValue }) => {
  const commands = listCommands(scope);
  if (commands.length === 0) return null;
  return (
    <div className="grid min-w-0 gap-1.5">
      <p className="text-note text-muted">
        {commands.length === 1 ? "Runs this command:" : "Runs these commands, in this order:"}
      </p>
      <pre
        translate="no"
        // Keyboard users can only scroll what they can focus.
        tabIndex={0}
        role="group"
        aria-label="Commands"
        className="max-h-56 overflow-auto rounded-md border bg-raised px-3 py-2 font-mono text-[0.8125rem] wrap-anywhere whitespace-pre-wrap"
      >
        {commands.map((argv, index) => (
          <span key={index} className="block">
            <BreakableText text={escapeInvisible(formatCommandLines([argv]))} />
          </span>
        ))}
      </pre>
    </div>
  );
};
