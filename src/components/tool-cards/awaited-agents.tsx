import { Clock, MessageSquare } from "lucide-react";
import { Countdown } from "@/components/ui/countdown";
import { Disclosure } from "@/components/ui/disclosure";
import { Markdown } from "@/components/ui/markdown";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import { type AgentOutcome, AgentWait, type AwaitedAgents } from "@/contract/agent";
import { AgentRow, AgentRows } from "./agent-row";
import { toErrorTitle } from "./error-title";
import { LiveAgent } from "./live-agent";
import { Outcome } from "./outcome";
import type { Mark } from "./state-mark";
import { isTaskOpen } from "./task-words";
import type { ToolCardProps } from "./tool-card";

type AwaitedAgentsProps = ToolCardProps & {
  output: AwaitedAgents | undefined;
  /** The title of the only agent, while the outcome has none. */
  title?: string | undefined;
};

/** The agents that a call waits for, or has waited for. */
export const AwaitedAgentList = ({ part, output, title, place, now }: AwaitedAgentsProps) => {
  if (output) return <EndedWait output={output} onNavigate={place?.onNavigate} />;
  const wait = part.state === "awaiting_agents" ? AgentWait.safeParse(part.output).data : undefined;
  if (wait === undefined) return <Outcome part={part} />;
  const { chat_ids: ids, min_completed: needed, deadline_at: deadline } = wait;
  return (
    <>
      <p className="text-sm text-muted">
        {needed < ids.length && `Waiting for ${needed} of ${ids.length} agents. `}
        Time left: <Countdown until={deadline} {...(now !== undefined && { now })} />
      </p>
      <AgentRows>
        {ids.map((id, index) => (
          <LiveAgent
            key={id}
            chatId={id}
            title={title ?? `Agent ${index + 1}`}
            {...(place && { place })}
            {...(now !== undefined && { now })}
          />
        ))}
      </AgentRows>
    </>
  );
};

/** @returns how a wait has ended, unless enough agents have. */
export const toWaitMark = ({ ended_by: by }: AwaitedAgents): Mark | undefined => {
  switch (by) {
    case "agents":
      return undefined;
    case "deadline":
      return { word: "Timed out", icon: Clock, tone: "text-warning" };
    case "message":
      return { word: "Ended by a message", icon: MessageSquare, tone: "text-muted" };
  }
};

type Navigation = { onNavigate: ((href: string) => void) | undefined };

const EndedWait = ({ output, onNavigate }: { output: AwaitedAgents } & Navigation) => {
  const note = describeEnd(output);
  return (
    <>
      <AgentRows>
        {output.agents.map((agent) => (
          <AwaitedAgent key={agent.chat_id} agent={agent} onNavigate={onNavigate} />
        ))}
      </AgentRows>
      {note !== "" && <p className="text-sm text-muted">{note}</p>}
    </>
  );
};

/** The note of the server itself says that a message has ended the wait. */
const describeEnd = ({ ended_by: by, note }: AwaitedAgents): string =>
  [
    by === "deadline" && "The wait timed out before enough agents had ended.",
    note ?? (by === "message" && "A new message has ended the wait."),
  ]
    .filter((sentence) => typeof sentence === "string")
    .join(" ");

const AwaitedAgent = ({ agent, onNavigate }: { agent: AgentOutcome } & Navigation) => {
  const { chat_id: id, title, state, report, error } = agent;
  return (
    <AgentRow chatId={id} title={title} state={state} onNavigate={onNavigate}>
      {error && (
        <p className="text-sm text-danger">
          {toErrorTitle(error.kind)}. {error.retryable && "Another try may work."}
        </p>
      )}
      {report !== undefined && (
        <Disclosure
          summary={
            <>
              Report<VisuallyHidden> of {title}</VisuallyHidden>
            </>
          }
        >
          <div
            role="group"
            aria-label={`Report of ${title}`}
            tabIndex={0}
            className="max-h-96 min-w-0 overflow-y-auto -outline-offset-2"
          >
            <Markdown text={report} isStreaming={false} />
          </div>
        </Disclosure>
      )}
    </AgentRow>
  );
};

/** @returns how many of the agents have ended, such as `2 of 3 ended`. */
export const describeAgents = ({ agents }: AwaitedAgents): string =>
  `${agents.filter(({ state }) => !isTaskOpen(state)).length} of ${agents.length} ended`;
