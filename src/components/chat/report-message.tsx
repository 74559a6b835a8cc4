import { clsx } from "clsx";
import { ClipboardCheck } from "lucide-react";
import { AgentLink } from "@/components/tool-cards/agent-row";
import { ArtifactLinks } from "@/components/tool-cards/artifact-links";
import { CommandResult } from "@/components/tool-cards/command-result";
import { Markdown } from "@/components/ui/markdown";
import { NavLink } from "@/components/ui/nav-link";
import type { MessageView } from "@/contract/chat-view";
import { ExecResult } from "@/contract/exec";
import type { ReportPart } from "@/contract/part";
import type { EndedTaskState } from "@/contract/task-state";
import { describeTaskState } from "@/components/tool-cards/task-words";
import { humanize } from "@/lib/humanize";
import type { AskingCall, AskingCalls } from "./asking-calls";

type ReportMessageProps = {
  message: Pick<MessageView, "parts">;
  /** The calls that began the tasks, by their ids; those of messages that are not loaded are missing. */
  askedBy?: AskingCalls | undefined;
  /** Opens another page, or another place of this one, without a page load. */
  onNavigate?: ((href: string) => void) | undefined;
};

/** What tasks have ended with since the message before. */
const ReportMessage = ({ message, askedBy = {}, onNavigate }: ReportMessageProps) => (
  <div className="flex min-w-0 flex-col gap-2">
    {message.parts
      .filter((part) => part.type === "report")
      .map((report) => (
        <Report
          key={report.task_id}
          report={report}
          askedBy={askedBy[report.tool_call_id]}
          onNavigate={onNavigate}
        />
      ))}
  </div>
);

export default ReportMessage;

const TONE: Record<EndedTaskState, string> = {
  completed: "text-success",
  failed: "text-danger",
  cancelled: "text-muted",
  unknown: "text-warning",
};

type ReportProps = Pick<ReportMessageProps, "onNavigate"> & {
  report: ReportPart;
  askedBy: AskingCall | undefined;
};

const Report = ({ report, askedBy, onNavigate }: ReportProps) => {
  const { label, state, artifacts, agent_chat_id: agentChatId } = report;
  return (
    <article
      aria-label={`Report: ${label}`}
      data-task-id={report.task_id}
      className="flex min-w-0 flex-col gap-2 rounded-lg border px-3 py-3"
    >
      <header className="flex min-w-0 items-baseline gap-2 text-sm">
        <ClipboardCheck aria-hidden size={15} className="shrink-0 self-center text-muted" />
        <h3 className="min-w-0 flex-1 font-medium wrap-anywhere">
          {agentChatId === undefined ? (
            label
          ) : (
            <AgentLink chatId={agentChatId} title={label} onNavigate={onNavigate} />
          )}
        </h3>
        <span className={clsx("shrink-0 text-xs", TONE[state])}>{describeTaskState(state)}</span>
      </header>
      <Outcome report={report} />
      {artifacts.length > 0 && <ArtifactLinks artifacts={artifacts} />}
      {askedBy && <AskedBy call={askedBy} onNavigate={onNavigate} />}
    </article>
  );
};

const AskedBy = ({
  call,
  onNavigate,
}: { call: AskingCall } & Pick<ReportMessageProps, "onNavigate">) => (
  <p className="text-note text-muted">
    Asked for by the call{" "}
    <NavLink
      href={`?message=${call.seq}`}
      onNavigate={onNavigate}
      className="underline underline-offset-2 hover:text-text pointer-coarse:py-2"
    >
      {humanize(call.toolName)}
    </NavLink>
  </p>
);

/** A command's outcome is shown as a terminal; a task that was stopped before has a sentence instead. */
const Outcome = ({ report }: { report: ReportPart }) => {
  const { kind, label, output, for_user: text } = report;
  const command = kind === "command" ? ExecResult.safeParse(output).data : undefined;
  if (command) {
    const isScreen = command.pty === true;
    return <CommandResult output={command} text={text} command={label} isScreen={isScreen} />;
  }
  return (
    <div className="max-h-96 min-w-0 overflow-y-auto" role="group" aria-label="Text" tabIndex={0}>
      <Markdown text={toText(report)} isStreaming={false} />
    </div>
  );
};

/** Data is shown as it is. */
const toText = ({ for_user: forUser, output }: ReportPart): string => {
  if (forUser !== undefined) return forUser;
  return typeof output === "string"
    ? output
    : `\`\`\`json\n${JSON.stringify(output, undefined, 2)}\n\`\`\``;
};
