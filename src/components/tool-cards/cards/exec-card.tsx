"use client";
import {
  Ban,
  Check,
  CircleHelp,
  CircleSlash,
  Clock,
  SquareTerminal,
  TriangleAlert,
} from "lucide-react";
import { BreakableText } from "@/components/ui/breakable-text";
import type { ToolCallView } from "@/contract/chat-view";
import { type ExecSession, ExecResult } from "@/contract/exec";
import { formatDuration } from "@/lib/format";
import { getTextArg, parseCallArgs } from "@/components/tool-cards/call-args";
import { toCardState } from "@/components/tool-cards/card-state";
import { CommandResult, describeStatus } from "@/components/tool-cards/command-result";
import { Outcome } from "@/components/tool-cards/outcome";
import type { Mark } from "@/components/tool-cards/state-mark";
import { TerminalOutput } from "@/components/tool-cards/terminal-output";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows a command and its output as a terminal. It is open while something happens in it. */
export const ExecCard = ({ part, output, ...rest }: OutputCardProps<ExecResult>) => {
  const call = toCall(part);
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={SquareTerminal}
      label={LABELS.get(call.action) ?? "Run command"}
      detail={call.detail}
      mark={output && toMark(output)}
      defaultOpen={part.completed_at === undefined}
    >
      <Body part={part} output={output} call={call} />
    </ToolCard>
  );
};

export default withOutput(ExecResult, ExecCard);

const LABELS: ReadonlyMap<string, string> = new Map([
  ["run", "Run command"],
  ["list", "List sessions"],
  ["poll", "Wait for session"],
  ["read", "Read session"],
  ["write", "Write to session"],
  ["send_keys", "Press keys"],
  ["kill", "End session"],
]);

type Call = {
  action: string;
  /** In one line, for the title. */
  detail: string | undefined;
  /** What the terminal's first line shows. */
  prompt: string | undefined;
  isScreen: boolean;
};

/** Reads the arguments as far as they have come, in any spelling that the tool takes. */
const toCall = (part: ToolCallView): Call => {
  const args = parseCallArgs(part);
  const action = (getTextArg(args, "action") ?? "run").replaceAll("-", "_");
  const isScreen = action === "send_keys" || String(args.pty) === "true";
  if (action === "run") {
    const command = getTextArg(args, "command");
    return { action, detail: command, prompt: command, isScreen };
  }
  const session = getTextArg(args, "session_id") ?? getTextArg(args, "sessionId");
  const sent = [session, getInput(args, action)].filter((text) => text !== undefined).join(": ");
  return { action, detail: session, prompt: sent === "" ? undefined : sent, isScreen };
};

/** @returns what a call sends to a session. */
const getInput = (args: ReturnType<typeof parseCallArgs>, action: string): string | undefined => {
  if (action !== "send_keys") return getTextArg(args, "data");
  return Array.isArray(args.keys) ? args.keys.join(" ") : getTextArg(args, "keys");
};

const toMark = ({ status, exit_code: code, session_id: session }: ExecResult): Mark => {
  switch (status) {
    case "running":
      return { word: "In background", icon: SquareTerminal, tone: "text-accent" };
    case "exited":
      return code === undefined || code === 0
        ? { word: session === undefined ? "Done" : "Ended", icon: Check, tone: "text-muted" }
        : { word: `Exit code ${code}`, icon: TriangleAlert, tone: "text-warning" };
    case "killed":
      return { word: "Killed", icon: Ban, tone: "text-warning" };
    case "timed_out":
      return { word: "Timed out", icon: Clock, tone: "text-warning" };
    case "unknown":
      return { word: "Unknown", icon: CircleHelp, tone: "text-muted" };
  }
};

type BodyProps = Pick<OutputCardProps<ExecResult>, "part" | "output"> & { call: Call };

const Body = ({ part, output, call }: BodyProps) => {
  if (output) return <Result output={output} call={call} text={part.for_user} />;
  if (part.completed_at !== undefined) {
    return (
      <>
        <Prompt text={call.prompt} />
        <Outcome part={part} />
      </>
    );
  }
  return toCardState(part) === "running" ? (
    <TerminalOutput
      command={call.prompt}
      text={part.live_output?.text ?? ""}
      isScreen={call.isScreen}
      isLive
    />
  ) : (
    <Prompt text={call.prompt} />
  );
};

const Prompt = ({ text }: { text: string | undefined }) => (
  <p
    data-terminal
    translate="no"
    className="rounded-md border border-[#2a3030] bg-[#111414] px-3 py-1.5 font-mono text-xs wrap-anywhere whitespace-pre-wrap text-[#e7ebea]"
  >
    <span aria-hidden className="text-[#6fc691] select-none">
      ${" "}
    </span>
    <BreakableText text={text ?? "…"} />
  </p>
);

type ResultProps = { output: ExecResult; call: Call; text: string | undefined };

const Result = ({ output, call, text }: ResultProps) =>
  output.sessions ? (
    <Sessions sessions={output.sessions} />
  ) : (
    <CommandResult
      output={output}
      text={text}
      command={call.prompt}
      isScreen={call.isScreen || output.pty === true}
    />
  );

const Sessions = ({ sessions }: { sessions: ExecSession[] }) => {
  if (sessions.length === 0) return <p className="text-muted">This chat has no sessions.</p>;
  return (
    <ul aria-label="Sessions" className="flex flex-col divide-y rounded-md border">
      {sessions.map((session) => (
        <li
          key={session.session_id}
          className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2"
        >
          {session.status === "running" ? (
            <SquareTerminal aria-hidden size={15} className="shrink-0 text-accent" />
          ) : (
            <CircleSlash aria-hidden size={15} className="shrink-0 text-muted" />
          )}
          <code translate="no" className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">
            {session.command}
          </code>
          <span className="shrink-0 text-xs text-muted">
            {session.session_id} · {describeStatus(session)}
            {session.status !== "unknown" && ` · ${formatDuration(session.duration_ms)}`}
          </span>
        </li>
      ))}
    </ul>
  );
};
