import { BreakableText } from "@/components/ui/breakable-text";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { escapeInvisible } from "@/lib/escape-invisible";
import { ArgumentsList } from "./arguments-list";

type ApprovalArgumentsProps = { toolName: string; args: JsonValue };

/**
 * The final arguments of a call, as it will run. Characters that are invisible or reorder a text are shown by
 * their codes, as they could make a command look like another one.
 */
export const ApprovalArguments = ({ toolName, args }: ApprovalArgumentsProps) => {
  const shown = escapeTexts(args);
  const command = toolName === "exec" && isJsonObject(shown) ? shown.command : undefined;
  if (!isJsonObject(shown) || typeof command !== "string") {
    return (
      <div className="min-w-0 rounded-lg bg-surface px-3 py-3">
        <ArgumentsList args={shown} />
      </div>
    );
  }
  return <CommandLine command={command} args={shown} />;
};

/** Leaves out the action that a command line stands for. */
export const omitRun = ({ action, ...others }: JsonObject): JsonObject =>
  action === undefined || action === "run" ? others : { action, ...others };

/** Arguments that the command line and the line below it show. */
const SHOWN_IN_LINE = new Set(["command", "cwd", "env", "pty", "background"]);

/** A command as a terminal shows it: where it runs, its environment, and the line. */
const CommandLine = ({ command, args }: { command: string; args: JsonObject }) => {
  const { cwd, env } = args;
  const others = Object.entries(omitRun(args)).filter(([name]) => !SHOWN_IN_LINE.has(name));
  const variables = isJsonObject(env) ? Object.entries(env) : [];
  const place = typeof cwd === "string" && cwd !== "" ? cwd : "the workspace";
  return (
    <div className="grid min-w-0 gap-2 rounded-lg bg-surface px-3 py-3">
      <pre
        translate="no"
        // Keyboard users can only scroll what they can focus.
        tabIndex={0}
        role="group"
        aria-label="Command"
        className="max-h-56 overflow-auto rounded-md border bg-raised px-3 py-2 font-mono text-[0.8125rem] wrap-anywhere whitespace-pre-wrap"
      >
        {variables.map(([name, value]) => (
          <span key={name} className="text-muted">
            <BreakableText
              text={`${name}=${typeof value === "string" ? value : JSON.stringify(value)}\n`}
            />
          </span>
        ))}
        <span aria-hidden className="text-muted select-none">
          ${" "}
        </span>
        <BreakableText text={command} />
      </pre>
      <p className="text-note text-muted">
        Runs in{" "}
        <span translate="no" className="font-mono wrap-anywhere">
          {place}
        </span>
        {args.pty === true && ", in a terminal"}
        {args.background === true && ", in the background"}
      </p>
      {others.length > 0 && <ArgumentsList args={Object.fromEntries(others)} />}
    </div>
  );
};

const escapeTexts = (value: JsonValue): JsonValue => {
  if (typeof value === "string") return escapeInvisible(value);
  if (Array.isArray(value)) return value.map(escapeTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [escapeInvisible(key), escapeTexts(item)]),
  );
};
