import { AgentList } from "@/contract/agent";
import { Bot } from "lucide-react";
import { AgentRow, AgentRows } from "@/components/tool-cards/agent-row";
import { Outcome } from "@/components/tool-cards/outcome";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows the agents of the chat as they were at the time of the call. */
export const ListAgentsCard = ({ part, output, ...rest }: OutputCardProps<AgentList>) => (
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

export default withOutput(AgentList, ListAgentsCard);

type AgentsProps = {
  output: AgentList;
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
