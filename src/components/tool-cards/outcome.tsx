import { FileText } from "lucide-react";
import { Alert } from "@/components/ui/alert";
import { Disclosure } from "@/components/ui/disclosure";
import { Markdown } from "@/components/ui/markdown";
import type { ToolCallView } from "@/contract/chat-view";
import type { Artifact } from "@/contract/part";
import { formatBytes } from "@/lib/format";
import { toCardState } from "./card-state";
import { formatJson } from "./format-json";
import { TextBlock } from "./text-block";

/** Shown when a call has ended without an output. */
const WITHOUT_OUTPUT = {
  cancelled: "This call was cancelled before it had an outcome.",
  timed_out: "Nobody answered before the deadline.",
  denied: "This call was not approved.",
  error: "The call failed and gave no reason.",
} as const;

/** Shows a call's live output while it runs, then its text for the person, its output or its error. */
export const Outcome = ({ part }: { part: ToolCallView }) => {
  const forUser = part.silent === true ? undefined : part.for_user;
  return (
    <>
      {part.live_output !== undefined && part.completed_at === undefined && (
        <TextBlock
          label={part.live_output.phase ?? "Output so far"}
          text={part.live_output.text}
          fileName={`${part.tool_name}.txt`}
        />
      )}
      {forUser !== undefined && <ForUser text={forUser} />}
      <Output part={part} folded={forUser !== undefined} />
      {part.artifacts !== undefined && part.artifacts.length > 0 && (
        <Artifacts artifacts={part.artifacts} />
      )}
      <AnsweredBy part={part} />
    </>
  );
};

const ForUser = ({ text }: { text: string }) => (
  <div
    role="group"
    aria-label="Result"
    tabIndex={0}
    className="max-h-96 overflow-y-auto -outline-offset-2"
  >
    <Markdown text={text} isStreaming={false} />
  </div>
);

const Output = ({ part, folded }: { part: ToolCallView; folded: boolean }) => {
  const { output } = part;
  const state = toCardState(part);
  const failed = state in WITHOUT_OUTPUT;
  const isBlank = typeof output === "string" && output.trim() === "";
  if (output === undefined || (failed && isBlank)) {
    const sentence = WITHOUT_OUTPUT[state as keyof typeof WITHOUT_OUTPUT];
    return failed ? <p className="text-sm text-muted">{sentence}</p> : null;
  }
  if (failed && typeof output === "string" && output.length <= 2_000) {
    return (
      <Alert tone={state === "error" ? "danger" : "warning"}>
        <p className="whitespace-pre-wrap">{output}</p>
      </Alert>
    );
  }
  const block = (
    <TextBlock
      label={state === "error" ? "Error" : "Output"}
      text={outputText(output)}
      fileName={`${part.tool_name}.txt`}
    />
  );
  return folded ? <Disclosure summary="Details">{block}</Disclosure> : block;
};

/** Returns text unchanged, but an empty text in quotes, so that it is visible as an answer. */
const outputText = (output: unknown): string =>
  typeof output === "string" && output !== "" ? output : formatJson(output);

const Artifacts = ({ artifacts }: { artifacts: Artifact[] }) => (
  <ul className="flex flex-wrap gap-2">
    {artifacts.map(({ id, name, size }) => (
      <li key={id} className="flex min-w-0 items-center gap-2 rounded-md border px-2.5 py-1.5">
        <FileText aria-hidden size={15} className="shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">{name}</span>
        <span className="shrink-0 text-xs text-muted">{formatBytes(size)}</span>
      </li>
    ))}
  </ul>
);

const AnsweredBy = ({ part: { kind, state, resolved_by: by } }: { part: ToolCallView }) => {
  if (kind !== "dynamic" || by === undefined || by === "worker") return null;
  if (state !== "completed" && state !== "error") return null;
  return (
    <p className="text-xs text-muted">
      {by.startsWith("api_key:") ? "Answered through the API" : "Answered in the browser"}
    </p>
  );
};
