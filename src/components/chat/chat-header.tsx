"use client";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { PageHeader } from "@/components/ui/page-header";
import { NavLink } from "@/components/ui/nav-link";
import { Popover } from "@/components/ui/popover";
import { RenameField } from "@/components/ui/rename-field";
import type { Chat } from "@/contract/chat";
import { MAX_TITLE_LENGTH } from "@/contract/limits";
import type { OmittedFiles } from "@/contract/usage";
import { ContextRing } from "./context-ring";

type ChatHeaderProps = Pick<Chat, "title" | "warnings" | "context" | "usage"> & {
  /** What the newest request had no room for. */
  omittedFiles?: OmittedFiles | undefined;
  /** Sums up what came before; absent while the chat is busy or archived. */
  onCompact?: (() => void) | undefined;
  /** The chat that has started this one as an agent; its title may not be known yet. */
  parent: { id: string | null; title: string | undefined };
  /** The chat that this one is a branch of; without an id it is deleted. */
  origin?: { id: string | null; title: string } | undefined;
  onNavigate: (href: string) => void;
  /** Display name of the model that answers next. */
  modelName: string;
  onRename: (title: string) => void;
  /** The menu of the chat, which can start to rename it. */
  renderMenu: (startRenaming: () => void) => ReactNode;
  /** Opens the chat list on screens too narrow to show it. */
  onOpenSidebar: () => void;
  /** How many chats wait for the person. */
  waitingCount: number;
  /** More controls at the end of the header. */
  children?: ReactNode;
};

export const ChatHeader = (props: ChatHeaderProps) => {
  const { title, warnings, context, usage, modelName, onRename, children } = props;
  const startRenaming = (): void => setIsRenaming(true);
  const [isRenaming, setIsRenaming] = useState(false);
  return (
    <PageHeader onOpenSidebar={props.onOpenSidebar} waitingCount={props.waitingCount}>
      {isRenaming ? (
        <RenameField
          label="Chat title"
          value={title}
          maxLength={MAX_TITLE_LENGTH}
          onSave={(next) => {
            setIsRenaming(false);
            if (next !== title) onRename(next);
          }}
          onCancel={() => setIsRenaming(false)}
        />
      ) : (
        <div className="flex min-w-0 flex-1 items-center gap-1">
          <div className="flex min-w-0 flex-col">
            <Origin {...props} />
            <h1 className="truncate text-sm font-semibold">{title}</h1>
          </div>
        </div>
      )}
      <p className="hidden max-w-48 truncate text-xs text-muted sm:block">{modelName}</p>
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <ContextRing
        context={context}
        usage={usage}
        omittedFiles={props.omittedFiles}
        onCompact={props.onCompact}
      />
      {children}
      {props.renderMenu(startRenaming)}
    </PageHeader>
  );
};

/** Where the chat comes from: the chat that has started it as an agent, or that it is a branch of. */
const Origin = ({
  parent,
  origin,
  onNavigate,
}: Pick<ChatHeaderProps, "parent" | "origin" | "onNavigate">) => {
  const id = parent.id ?? origin?.id;
  if (id) {
    return (
      <NavLink
        href={`/chats/${id}`}
        onNavigate={onNavigate}
        className="truncate text-xs text-muted underline decoration-muted/40 underline-offset-2 -outline-offset-2 hover:text-text pointer-coarse:py-1"
      >
        {parent.id === null
          ? `Branch of ${origin?.title}`
          : `Agent of ${parent.title ?? "another chat"}`}
      </NavLink>
    );
  }
  return origin && <p className="truncate text-xs text-muted">Branch of a deleted chat</p>;
};

const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <Popover
    title="Warnings"
    trigger={
      <button
        type="button"
        aria-label={`Warnings: ${warnings.length}`}
        className="flex h-8 items-center gap-1.5 rounded-md px-2 text-xs text-warning tabular-nums transition-colors hover:bg-hover pointer-coarse:h-10"
      >
        <TriangleAlert aria-hidden size={15} />
        {warnings.length}
      </button>
    }
  >
    <ul className="flex list-disc flex-col gap-1.5 pl-4">
      {warnings.map((warning) => (
        <li key={warning} className="break-words">
          {warning}
        </li>
      ))}
    </ul>
  </Popover>
);
