import { type ReactNode, useLayoutEffect, useRef } from "react";
import { AgentLink } from "@/components/tool-cards/agent-row";
import type { Asker } from "@/components/answers/required-action-form";

type AgentActionsProps = {
  /** In their order on the page; those that are not open have a note or nothing. */
  agents: readonly { chat_id: string; title: string }[];
  /** The ids of the chats of those that wait for the person. */
  openIds: readonly string[];
  onNavigate?: ((href: string) => void) | undefined;
  renderAction: (chatId: string, asker: Asker) => ReactNode;
};

/** What agents of a chat wait for, one below the other, each with the agent's name. */
export const AgentActions = ({ agents, openIds, onNavigate, renderAction }: AgentActionsProps) => {
  const open = agents.filter(({ chat_id: id }) => openIds.includes(id));
  const focus = useFocusNext(open.map(({ chat_id: id }) => id));
  return agents.map((agent) => {
    const { chat_id: id, title } = agent;
    const index = open.indexOf(agent);
    const position =
      open.length > 1 && index !== -1 ? `${index + 1} of ${open.length} agents` : undefined;
    const link = <AgentLink chatId={id} title={title} onNavigate={onNavigate} />;
    return (
      <div key={id} {...focus(id)} className="grid min-w-0 grid-cols-1 gap-3 empty:hidden">
        {renderAction(id, { link, position })}
      </div>
    );
  });
};

/** Moves the focus to the first form that is left when the one that has it is gone. */
const useFocusNext = (openIds: readonly string[]) => {
  const nodes = useRef(new Map<string, HTMLElement>());
  const focusedId = useRef<string>(undefined);
  // Syncs with the focus of the browser: it leaves what is removed, and keyboard users would start at the top again.
  useLayoutEffect(() => {
    if (focusedId.current === undefined || openIds.includes(focusedId.current)) return;
    focusedId.current = undefined;
    if (document.activeElement !== document.body) return;
    const [next] = openIds;
    const node = next === undefined ? undefined : nodes.current.get(next);
    node?.querySelector<HTMLElement>("[data-scroll-head]")?.focus();
  });
  return (id: string) => ({
    ref: (node: HTMLElement | null): void => {
      if (node) nodes.current.set(id, node);
      else nodes.current.delete(id);
    },
    onFocus: (): void => void (focusedId.current = id),
    onBlur: (): void => void (focusedId.current = undefined),
  });
};
