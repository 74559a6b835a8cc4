import { FailureBoundary } from "@/components/ui/failure-boundary";
import { type ChatNode } from "./chat-tree";
import type { ChatRowActions } from "./chat-menu-items";
import { ChatRow } from "./chat-row";

type ChatGroupProps = {
  heading: string;
  nodes: readonly ChatNode[];
  actions: ChatRowActions;
  activeChatId: string | undefined;
  /** The text that was searched for; "" without a search. */
  search: string;
  now?: number | undefined;
};

/** Chats under a heading, with child chats nested below their parent. */
export const ChatGroup = ({ heading, nodes, ...nodesProps }: ChatGroupProps) => (
  <section aria-label={heading} className="flex flex-col gap-0.5">
    <h2 className="px-2 pt-3 pb-1 text-xs font-medium text-muted">{heading}</h2>
    <Nodes nodes={nodes} {...nodesProps} />
  </section>
);

const Nodes = ({ nodes, activeChatId, ...rowProps }: Omit<ChatGroupProps, "heading">) => (
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
          <div className="ml-4 border-l pt-0.5 pl-1">
            <Nodes nodes={children} activeChatId={activeChatId} {...rowProps} />
          </div>
        )}
      </li>
    ))}
  </ul>
);
