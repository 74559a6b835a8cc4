"use client";
import { type KeyboardEvent, useState } from "react";
import { useShell } from "@/app/(app)/shell-context";
import type { ChatView } from "@/client/chat-view";
import { useChatActions } from "@/client/use-chat-actions";
import { useModels } from "@/client/use-models";
import { ChatHeader } from "@/components/chat/chat-header";
import type { ChatSnapshot } from "@/contract/chat";
import { isBusy } from "@/contract/is-busy";
import { ChatComposer } from "./chat-composer";
import { ChatTimeline } from "./chat-timeline";

type OpenChatProps = { view: ChatView; chat: ChatSnapshot; connected: boolean };

export const OpenChat = ({ view, chat, connected }: OpenChatProps) => {
  const { openSidebar } = useShell();
  const models = useModels();
  const actions = useChatActions(chat.id);
  const [chosenId, setEditingId] = useState<string>();
  // The edit ends with its message: until the new one is there, the old ones are not shown again.
  const editingId = view.messages.find(({ id }) => id === chosenId)?.id;
  const stepBack = (): void => {
    if (editingId !== undefined) setEditingId(undefined);
    else if (isBusy(chat.status) && chat.status !== "interrupting") actions.interrupt();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || hasOwnEscape(event)) return;
    event.preventDefault();
    stepBack();
  };
  const model =
    models.find(({ id }) => id === chat.model_id) ?? models.find((one) => one.is_default);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <ChatHeader
        title={chat.title}
        warnings={chat.warnings}
        context={chat.context}
        usage={chat.usage}
        modelName={model?.name ?? ""}
        onRename={(title) => actions.update({ title })}
        onOpenSidebar={openSidebar}
      />
      <ChatTimeline
        view={view}
        chat={chat}
        connected={connected}
        actions={actions}
        editingId={editingId}
        onEditingChange={setEditingId}
      />
      <ChatComposer chat={chat} models={models} actions={actions} onEscape={stepBack} />
    </div>
  );
};

/** A field's Escape is its own, and what floats above the page is only a guest in this tree. */
const hasOwnEscape = ({ target, currentTarget }: KeyboardEvent): boolean =>
  !(target instanceof HTMLElement) ||
  !currentTarget.contains(target) ||
  target.matches("input, textarea, select, [aria-expanded='true']");
