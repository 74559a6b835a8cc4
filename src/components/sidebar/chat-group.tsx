"use client";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { FailureBoundary } from "@/components/ui/failure-boundary";
import { isBusy } from "@/contract/chat-status";
import { type ChatNode } from "./chat-tree";
import type { ChatRowActions } from "./chat-menu-items";
import { ChatRow } from "./chat-row";

type ChatGroupProps = {
  heading: string;
  nodes: readonly ChatNode[];
  /** More are folded; by default none are. */
  maxRows?: number | undefined;
  actions: ChatRowActions;
  activeChatId: string | undefined;
  /** The text that was searched for; "" without a search. */
  search: string;
  now?: number | undefined;
};

/** Chats under a heading, with child chats folded below their parent. */
export const ChatGroup = ({ heading, nodes, maxRows, ...nodesProps }: ChatGroupProps) => {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? nodes : nodes.slice(0, maxRows);
  return (
    // No landmark: the page of a new chat has the same group as the list of chats.
    <div role="group" aria-label={heading} className="flex flex-col gap-0.5">
      <h2 className="px-2 pt-3 pb-1 text-xs font-medium text-muted">{heading}</h2>
      <Nodes nodes={shown} {...nodesProps} />
      {maxRows !== undefined && nodes.length > maxRows && (
        <div className="px-1">
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={isWhole}
            onClick={() => setIsWhole(!isWhole)}
          >
            {isWhole ? "Show fewer" : `${nodes.length - maxRows} more`}
          </Button>
        </div>
      )}
    </div>
  );
};

type NodesProps = Omit<ChatGroupProps, "heading" | "maxRows">;

const Nodes = ({ nodes, activeChatId, ...rowProps }: NodesProps) => (
  <ul className="flex flex-col gap-0.5">
    {nodes.map(({ chat, children, parentTitle }) => (
      <li key={chat.id} className="min-w-0">
        <FailureBoundary what="chat" resetKeys={[chat]}>
          <ChatRow
            chat={chat}
            parentTitle={parentTitle}
            isCurrent={chat.id === activeChatId}
            {...rowProps}
          />
        </FailureBoundary>
        {children.length > 0 && (
          <Agents nodes={children} activeChatId={activeChatId} parent={chat.title} {...rowProps} />
        )}
      </li>
    ))}
  </ul>
);

/** The agents of a chat: folded, unless one of them is on the screen or they were searched for. */
const Agents = ({ parent, ...props }: NodesProps & { parent: string }) => {
  const { nodes, activeChatId, search } = props;
  const [choice, setChoice] = useState<boolean>();
  const isOpen = choice ?? nodes.some(({ chat }) => chat.id === activeChatId);
  const working = nodes.filter(({ chat }) => isBusy(chat.status)).length;
  const count = `${nodes.length} ${nodes.length === 1 ? "agent" : "agents"}${working > 0 ? `, ${working} working` : ""}`;
  return (
    <div className="ml-4 border-l pt-0.5 pl-1">
      {search === "" && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${count}, of ${parent}`}
          onClick={() => setChoice(!isOpen)}
          className="flex min-h-7 w-full items-center gap-1 rounded-md px-1 text-left text-xs text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:min-h-11"
        >
          <ChevronRight aria-hidden size={14} className={clsx("shrink-0", isOpen && "rotate-90")} />
          {count}
        </button>
      )}
      {(isOpen || search !== "") && <Nodes {...props} />}
    </div>
  );
};
