import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CODE_INPUT } from "@/components/ui/code-input";
import { TextArea } from "@/components/ui/text-area";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { tryParseJson } from "@/lib/exact-json";
import { ApprovalArguments, omitRun } from "./approval-arguments";

type ArgumentsEditorProps = {
  toolName: string;
  /** Those of the model. */
  args: JsonValue;
  /** Why the server did not take the last change; pointers are into the arguments. */
  errors: readonly FieldError[];
  onApprove: (args: JsonObject) => void;
  onBack: () => void;
  isDeciding: boolean;
};

/** Changes the arguments of a call before it is approved: the line of a command, or the JSON of another call. */
const ArgumentsEditor = (props: ArgumentsEditorProps) => {
  const { toolName, args, onApprove, onBack, isDeciding } = props;
  const command = toolName === "exec" && isJsonObject(args) ? args.command : undefined;
  const isCommand = typeof command === "string";
  const others = isCommand ? omitCommand(args as JsonObject) : {};
  const [text, setText] = useState(isCommand ? command : JSON.stringify(args, null, 2));
  const [mistake, setMistake] = useState<string>();
  // What the server said is about what was sent, not about what is typed since.
  const [isTyped, setTyped] = useState(false);
  const reported = isTyped ? [] : props.errors.map(formatError);
  const approve = (): void => {
    const entered = isCommand ? toCommand(args as JsonObject, text) : tryParseJson(text);
    const isUsable = isJsonObject(entered as JsonValue);
    setMistake(isUsable ? undefined : MISTAKE[isCommand ? "command" : "json"]);
    setTyped(false);
    if (isUsable) onApprove(entered as JsonObject);
  };
  return (
    <div className="grid min-w-0 gap-3">
      <TextArea
        // The person has just opened this field.
        autoFocus
        isMonospace
        label={isCommand ? "Command to run" : "Arguments"}
        hint={isCommand ? "The model is told that you changed it." : HINT_JSON}
        error={mistake ?? (reported.length > 0 ? reported.join(" ") : undefined)}
        rows={isCommand ? 2 : 4}
        {...CODE_INPUT}
        translate="no"
        value={text}
        disabled={isDeciding}
        onChange={({ target }) => {
          setText(target.value);
          setMistake(undefined);
          setTyped(true);
        }}
      />
      {Object.keys(others).length > 0 && <ApprovalArguments toolName={toolName} args={others} />}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" isBusy={isDeciding} onClick={approve}>
          Approve this
        </Button>
        <Button variant="ghost" disabled={isDeciding} onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
};

export default ArgumentsEditor;

const HINT_JSON = "As JSON. The model is told that you changed them.";
const MISTAKE = {
  command: "Enter a command.",
  json: 'Enter a JSON object such as {"path": "notes.md"}.',
};

const toCommand = (args: JsonObject, text: string): JsonObject | undefined =>
  text.trim() === "" ? undefined : { ...args, command: text };

const omitCommand = (args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(omitRun(args)).filter(([name]) => name !== "command"));

const formatError = ({ pointer, message }: FieldError): string =>
  pointer === "" || pointer === "/command" ? `It ${message}.` : `${pointer.slice(1)}: ${message}.`;
