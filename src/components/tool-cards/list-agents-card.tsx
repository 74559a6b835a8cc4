import { Bot } from "lucide-react";
import type { ToolOutput } from "@/contract/tool-outputs";
import { AgentRow, AgentRows } from "./agent-row";
import { Outcome } from "./outcome";
import { type BuiltinCardProps, ToolCard } from "./tool-card";

/** Shows the agents of the chat as they were at the time of the call. */
export const ListAgentsCard = ({ part, output, ...rest }: BuiltinCardProps<"list_agents">) => (
  <ToolCard
    {...rest}
    part={part}
    icon={Bot}
    label="List agents"
    detail={output && String(output.total)}
  >
    {output ? (
      <Agents output={output} onNavigate={rest.place?.onNavigate} />
    ) : (
      <Outcome part={part} />
    )}
  </ToolCard>
);

type AgentsProps = {
  output: ToolOutput<"list_agents">;
  onNavigate: ((href: string) => void) | undefined;
};

const Agents = ({ output: { agents, total }, onNavigate }: AgentsProps) => {
  if (total === 0) return <p className="text-sm text-muted">This chat has no agents.</p>;
  return (
    <>
      {agents.length > 0 && (
        <AgentRows>
          {agents.map(({ chat_id: id, title, type, state }) => (
            <AgentRow
              key={id}
              chatId={id}
              title={title}
              type={type}
              state={state}
              onNavigate={onNavigate}
            />
          ))}
        </AgentRows>
      )}
      {agents.length < total && (
        <p className="text-sm text-muted">
          {agents.length} of {total} agents.
        </p>
      )}
    </>
  );
};
