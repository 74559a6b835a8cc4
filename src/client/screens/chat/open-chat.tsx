"use client";
import { type KeyboardEvent, useState } from "react";
import { useShell } from "@/client/screens/shell/shell-context";
import type { ChatView } from "@/client/chat-view";
import { findModel } from "@/client/find-model";
import { useChatActions } from "@/client/use-chat-actions";
import { useModels } from "@/client/use-models";
import { useNavigate } from "@/client/use-navigate";
import { ChatHeader } from "@/components/chat/chat-header";
import { lazyParts } from "@/components/ui/lazy-parts";
import { useHasBeenTrue } from "@/components/ui/use-has-been-true";
import type { FilledCall } from "@/components/answers/answer-form";
import type { ChatSnapshot } from "@/contract/chat";
import { isBusy } from "@/contract/chat-status";
import type { Message } from "@/contract/message";
import { findOmittedFiles } from "@/contract/shown-files";
import { ChatComposer } from "./chat-composer";
import { ChatTimeline, showMessage } from "./chat-timeline";
import { OpenChatMenu } from "./open-chat-menu";
import { useFindBar } from "./use-find-bar";

const ChatFiles = lazyParts(() => import("./chat-files"));
const ForkMenu = lazyParts(() => import("@/components/chat/fork-menu"));
const TaskMenu = lazyParts(() => import("@/components/chat/task-menu"));
const TemporaryMark = lazyParts(() => import("@/components/chat/temporary-mark"));

type OpenChatProps = { view: ChatView; chat: ChatSnapshot; isConnected: boolean };

export const OpenChat = ({ view, chat, isConnected }: OpenChatProps) => {
  const models = useModels();
  const actions = useChatActions(chat);
  const { editingId, setEditingId, editLast } = useEditing(view, chat);
  const [filledCall, setFilledCall] = useState<FilledCall>();
  const [sentCount, setSentCount] = useState(0);
  /** Open calls are cancelled only by Stop, which asks. */
  const cancel = (): void => {
    if (editingId !== undefined) setEditingId(undefined);
    else if (isWorkingAlone(view, chat)) actions.interrupt([]);
  };
  return (
    <div
      className="flex min-h-0 min-w-0 flex-1 flex-col print:block short:flex-none"
      onKeyDown={createEscapeHandler(cancel)}
    >
      <ChatTop view={view} chat={chat} models={models} actions={actions} />
      <ChatTimeline
        view={view}
        chat={chat}
        models={models}
        isConnected={isConnected}
        actions={actions}
        editingId={editingId}
        onEditingChange={setEditingId}
        filledCall={filledCall}
        sentCount={sentCount}
      />
      <ChatComposer
        chat={chat}
        models={models}
        actions={actions}
        childActions={view.childActions}
        onEscape={cancel}
        onEditLast={editLast}
        onSent={() => setSentCount((count) => count + 1)}
        onAnswerFilled={(id) => setFilledCall({ id })}
      />
    </div>
  );
};

type ChatTopProps = Pick<OpenChatProps, "view" | "chat"> & {
  models: ReturnType<typeof useModels>;
  actions: ReturnType<typeof useChatActions>;
};

/** What stays above the messages: the header, and the search of the chat. */
const ChatTop = ({ view, chat, models, actions }: ChatTopProps) => {
  const { openSidebar, waitingCount, parentTitle } = useShell();
  const navigate = useNavigate();
  const find = useFindBar();
  const [areFilesShown, setFilesShown] = useState(false);
  const wereFilesShown = useHasBeenTrue(areFilesShown);
  return (
    <>
      <ChatHeader
        title={chat.title}
        parent={{ id: chat.parent_chat_id, title: parentTitle }}
        origin={toOrigin(view, chat)}
        onNavigate={navigate}
        warnings={chat.warnings}
        context={chat.context}
        usage={chat.usage}
        omittedFiles={findOmittedFiles(view.messages)}
        onCompact={isBusy(chat.status) || chat.archived ? undefined : () => actions.compact("")}
        modelName={findModel(models, chat.model_id)?.name ?? ""}
        onRename={(title) => actions.update({ title })}
        renderMenu={(startRenaming) => (
          <OpenChatMenu
            chat={chat}
            startRenaming={startRenaming}
            onFind={find.open}
            onShowFiles={() => setFilesShown(true)}
            onUpdate={actions.update}
            onCompact={() => actions.compact("")}
            onClear={() => actions.clearContext()}
          />
        )}
        onOpenSidebar={openSidebar}
        waitingCount={waitingCount}
      >
        {chat.expires_at && (
          <TemporaryMark
            expiresAt={chat.expires_at}
            onKeep={() => actions.update({ temporary: false })}
          />
        )}
        {view.forks.length > 0 && <ForkMenu forks={view.forks} onNavigate={navigate} />}
        {view.tasks.length > 0 && <TaskMenu tasks={view.tasks} onCancel={actions.cancelTask} />}
      </ChatHeader>
      {wereFilesShown && (
        <ChatFiles chatId={chat.id} open={areFilesShown} onClose={() => setFilesShown(false)} />
      )}
      {find.bar && (
        <find.bar.Content
          {...find.bar}
          chatId={chat.id}
          onShow={showMessage}
          onClose={find.close}
        />
      )}
    </>
  );
};

/** What the head of a branch says of where it comes from. */
const toOrigin = ({ origin }: ChatView, { forked_from }: ChatSnapshot) =>
  forked_from ? { id: origin?.id ?? null, title: origin?.title ?? "" } : undefined;

/** The message that is edited, and how to edit the person's last one if it can be changed. */
const useEditing = ({ messages }: ChatView, { status, archived }: ChatSnapshot) => {
  const [selectedId, setEditingId] = useState<string>();
  // A submitted edit stays open until its message is replaced, so that the later messages stay dimmed. The message may come
  // back as an alternative, and is not edited then.
  if (selectedId !== undefined && messages.every(({ id }) => id !== selectedId)) {
    setEditingId(undefined);
  }
  const own = messages.findLast(({ role }) => role === "user");
  const edit = ({ id, seq }: Message): void => {
    // The rows of a long chat are only there while they are in view.
    showMessage(seq);
    setEditingId(id);
  };
  return {
    editingId: selectedId,
    setEditingId,
    editLast: own && !isBusy(status) && !archived ? (): void => edit(own) : undefined,
  };
};

const createEscapeHandler =
  (cancel: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || shouldIgnoreEscape(event)) return;
    event.preventDefault();
    cancel();
  };

/** Whether a turn works, and no call of the chat or of an agent waits for the person. */
const isWorkingAlone = ({ childActions }: ChatView, { status }: ChatSnapshot): boolean =>
  (status === "pending" || status === "running") && childActions.length === 0;

/**
 * Fields and open popups handle Escape themselves. Events from portalled overlays bubble here too;
 * ignore them.
 */
const shouldIgnoreEscape = ({ target, currentTarget }: KeyboardEvent): boolean =>
  !(target instanceof HTMLElement) ||
  !currentTarget.contains(target) ||
  target.matches("input, textarea, select, [aria-expanded='true']");
