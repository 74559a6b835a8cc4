import { CircleAlert, CircleCheck, CircleHelp, CircleSlash, Hand, Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { NavLink } from "@/components/ui/nav-link";
import type { Agent } from "@/contract/agent";
import { countOpenCalls } from "@/contract/chat-status";
import type { TaskState } from "@/contract/task-state";
import { type Mark, MarkLabel } from "./state-mark";
import { describeTaskState, isTaskOpen } from "./task-words";

type AgentLinkProps = {
  chatId: string;
  title: string;
  onNavigate: ((href: string) => void) | undefined;
};

/** An agent's title, which opens its chat. */
export const AgentLink = ({ chatId, title, onNavigate }: AgentLinkProps) => (
  <NavLink
    href={`/chats/${chatId}`}
    onNavigate={onNavigate}
    className="min-w-0 font-medium wrap-anywhere text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent pointer-coarse:py-2"
  >
    {title}
  </NavLink>
);

/** How an agent stands: as its task does, or it waits for a person. */
export type AgentState = TaskState | "asking";

/** @returns how the agent stands; its chat may wait for a moment longer than its task. */
export const toAgentState = ({ required_action: action, task_state: state }: Agent): AgentState =>
  countOpenCalls(action) > 0 && isTaskOpen(state) ? "asking" : state;

type AgentRowProps = AgentLinkProps & {
  type?: string | null | undefined;
  /** Undefined while it is not known. */
  state?: AgentState | undefined;
  /** What else there is of it, below its title. */
  children?: ReactNode;
};

/** One agent in a list of a card. */
export const AgentRow = ({ type, state, children, ...link }: AgentRowProps) => (
  <li className="flex min-w-0 flex-col gap-1 px-3 py-2">
    <div className="flex min-w-0 items-center gap-2">
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <AgentLink {...link} />
        {typeof type === "string" && <Badge text={type} />}
      </span>
      {state !== undefined && <MarkLabel mark={toMark(state)} />}
    </div>
    {children}
  </li>
);

const toMark = (state: AgentState): Mark =>
  state === "asking"
    ? { word: "Needs you", icon: Hand, tone: "text-warning" }
    : { ...MARK[state], word: describeTaskState(state) };

const MARK: Record<TaskState, Omit<Mark, "word">> = {
  queued: { icon: Hourglass, tone: "text-muted" },
  running: { icon: "spinner", tone: "text-accent" },
  completed: { icon: CircleCheck, tone: "text-success" },
  failed: { icon: CircleAlert, tone: "text-danger" },
  cancelled: { icon: CircleSlash, tone: "text-muted" },
  unknown: { icon: CircleHelp, tone: "text-warning" },
};

/** The mark of how an agent stands now. */
export const toAgentMark = (agent: Agent): Mark => toMark(toAgentState(agent));

export const AgentRows = ({ children }: { children: ReactNode }) => (
  <ul aria-label="Agents" className="flex min-w-0 flex-col divide-y rounded-md border">
    {children}
  </ul>
);
