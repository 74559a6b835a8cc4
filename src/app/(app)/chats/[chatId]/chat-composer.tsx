"use client";
import { useDraft } from "@/client/use-draft";
import type { ChatActions } from "@/client/use-chat-actions";
import { useQueueActions } from "@/client/use-queue-actions";
import { Composer } from "@/components/forms/composer";
import { ModelPicker } from "@/components/forms/model-picker";
import { type QueueAction, QueueList } from "@/components/forms/queue-list";
import type { ChatSnapshot } from "@/contract/chat";
import type { QueuedMessage } from "@/contract/message";
import type { Model } from "@/contract/model";

type ChatComposerProps = {
  chat: ChatSnapshot;
  models: readonly Model[];
  actions: ChatActions;
  onEscape: () => void;
};

/** The queue of messages and the composer. */
export const ChatComposer = ({ chat, models, actions, onEscape }: ChatComposerProps) => {
  const [draft, setDraft] = useDraft(chat.id);
  const queue = useQueueActions(chat.id);
  const handleQueueAction = (action: QueueAction, message: QueuedMessage): void => {
    if (action === "send-now") queue.promote(message.id);
    else if (action === "remove") queue.remove(message.id);
    else queue.remove(message.id, () => setDraft(textOf(message)));
  };
  return (
    <div className="mx-auto grid w-full max-w-[46rem] shrink-0 gap-2 px-4 pt-1 pb-4">
      {chat.queue.length > 0 && (
        <QueueList
          messages={chat.queue}
          onAction={handleQueueAction}
          pendingAction={queue.pendingAction}
          canEdit={draft.trim() === ""}
        />
      )}
      <Composer
        value={draft}
        onChange={setDraft}
        onSend={(text, behavior) => {
          setDraft("");
          actions.send(text, behavior);
        }}
        onStop={actions.interrupt}
        onEscape={onEscape}
        onPromoteFirst={() => {
          const [first] = chat.queue;
          if (first && !queue.pendingAction) queue.promote(first.id);
        }}
        status={chat.status}
        queuedCount={chat.queue.length}
        isSending={actions.isSending}
        disabledReason={chat.archived ? "This chat is archived. Restore it to write." : undefined}
        error={actions.errorMessage ?? queue.errorMessage}
        autoFocus
        modelPicker={
          models.length > 0 && (
            <ModelPicker
              models={models}
              value={chat.model_id}
              onChange={(id) => actions.update({ model_id: id })}
              disabled={chat.archived}
            />
          )
        }
      />
    </div>
  );
};

const textOf = ({ content }: QueuedMessage): string => content.map(({ text }) => text).join("\n\n");
