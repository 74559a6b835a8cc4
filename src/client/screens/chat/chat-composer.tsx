"use client";
import { useEffect, useState } from "react";
import { useChoiceMentions } from "@/client/screens/chat/use-choice-mentions";
import { useAnswerDrafts } from "@/client/use-answer-drafts";
import { findModel } from "@/client/find-model";
import { useAttachments } from "@/client/use-attachments";
import { clearDraft, replaceDraft, useDraft } from "@/client/use-draft";
import { useSlashCommands } from "@/client/use-slash-commands";
import type { ChatActions } from "@/client/use-chat-actions";
import { useQueueActions } from "@/client/use-queue-actions";
import { Composer } from "@/components/composer/composer";
import { isAskedCall } from "@/components/answers/asked-call";
import type { Draft } from "@/components/answers/draft";
import { ModelPicker } from "@/components/composer/model-picker";
import { AnswerSettings } from "@/components/composer/answer-settings";
import type { QueueAction } from "@/components/composer/queue-list";
import { toCancelQuestion } from "@/components/composer/send-questions";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { importPart } from "@/lib/import-part";
import { lazyParts } from "@/components/ui/lazy-parts";
import { useConfirm } from "@/components/ui/use-confirm";
import type { ChatSnapshot, ChildAction } from "@/contract/chat";
import type { ChatStatus } from "@/contract/chat";
import { countOpenCalls, isBusy, listOpenCallIds } from "@/contract/chat-status";
import type { QueuedMessage } from "@/contract/message";
import type { Model } from "@/contract/model";
import { toArtifact } from "@/contract/draft-attachment";
import { CHAT_COMMANDS, readCommand } from "@/lib/commands";
import { listMentionedNames } from "@/lib/mentions";
import type * as Answering from "./answering";
import { loadAnswering } from "./load-answering";

const QueueList = lazyParts(() => import("@/components/composer/queue-list"));

/** Statuses of a turn that a message can enter. */
const STEERED: ReadonlySet<ChatStatus> = new Set(["pending", "running", "requires_action"]);

type ChatComposerProps = {
  chat: ChatSnapshot;
  /** What agents of the chat wait for. */
  childActions: readonly ChildAction[];
  models: readonly Model[];
  actions: ChatActions;
  onEscape: () => void;
  /** Edits the last message of the person; absent while it cannot be changed. */
  onEditLast: (() => void) | undefined;
  /** Called when a message is sent that does not wait in the queue. */
  onSent: () => void;
  /** Gets the id of a call whose answer was filled from the composer. */
  onAnswerFilled: (toolCallId: string) => void;
};

/** The queue of messages and the composer. */
export const ChatComposer = (props: ChatComposerProps) => {
  const { chat, actions, onEscape } = props;
  const [draft, setDraft] = useDraft(chat.id);
  const attachments = useAttachments(chat.id);
  const { openCallIds, askedCalls, addAsAnswer } = useOpenCalls(props, () => setDraft(""));
  const queue = useQueue(chat, askedCalls);
  const mentions = useChoiceMentions({
    choice: actions.pendingChoice ?? chat,
    onChange: actions.update,
    draft,
  });
  const commands = useSlashCommands(draft, CHAT_COMMANDS);
  return (
    <div data-screen-only className="mx-auto grid w-full max-w-[46rem] shrink-0 gap-2 px-4 pb-2">
      {chat.queue.length > 0 && (
        <QueueList
          messages={chat.queue}
          onAction={queue.handleAction}
          pendingAction={queue.pendingAction}
          isPaused={chat.queue_paused}
          onSendNext={queue.promoteFirst}
          canSteer={STEERED.has(chat.status)}
          canEdit={draft.trim() === "" && attachments.items.length === 0}
        />
      )}
      {chat.archived && <ArchivedNote onRestore={() => actions.update({ archived: false })} />}
      <Composer
        value={draft}
        onChange={setDraft}
        onSend={(text, behavior) => {
          // The text stays until the server has taken the command.
          if (runChatCommand(text, actions, () => setDraft(""))) return;
          actions.send({ text, files: attachments.files }, behavior, openCallIds);
          clearDraft(chat.id);
          if (behavior === "interrupt" || !isBusy(chat.status)) props.onSent();
        }}
        onStop={() => actions.interrupt(openCallIds)}
        onEscape={onEscape}
        onPromoteFirst={queue.promoteFirst}
        // A message that waits is newer than all that were sent.
        onEditLast={queue.editLast ?? props.onEditLast}
        status={chat.status}
        queuedCount={chat.queue.length}
        isQueuePaused={chat.queue_paused}
        openCalls={askedCalls}
        agentCalls={props.childActions.reduce((sum, action) => sum + countOpenCalls(action), 0)}
        onUseAsAnswer={addAsAnswer}
        isSending={actions.isSending || commands.isLoading}
        disabledReason={chat.archived ? "Restore it to write a message." : undefined}
        error={actions.errorMessage ?? queue.errorMessage}
        // The form of open calls comes first.
        autoFocus={openCallIds.length === 0}
        modelPicker={<ChatModelPicker {...props} />}
        answerSettings={<ChatAnswerSettings {...props} />}
        mentions={mentions}
        commands={commands}
        attachments={attachments}
        model={findModel(props.models, chat.model_id)}
      />
      {queue.question}
    </div>
  );
};

/** @returns false if the text does not begin with a command of the chat. */
const runChatCommand = (
  text: string,
  { compact, clearContext }: ChatActions,
  onSuccess: () => void,
): boolean => {
  const written = readCommand(text, CHAT_COMMANDS);
  if (!written) return false;
  if (written.command.name === "clear") clearContext(onSuccess);
  else compact(written.arguments.keep ?? "", onSuccess);
  return true;
};

const ArchivedNote = ({ onRestore }: { onRestore: () => void }) => (
  <Alert
    tone="info"
    title="This chat is archived."
    action={
      <Button size="sm" onClick={onRestore}>
        Restore
      </Button>
    }
  />
);

const ChatModelPicker = ({ chat, models, actions }: ChatComposerProps) =>
  models.length > 0 && (
    <ModelPicker
      models={models}
      value={chat.model_id}
      onChange={(id) => actions.update({ model_id: id })}
      disabled={chat.archived}
    />
  );

const ChatAnswerSettings = ({ chat, models, actions }: ChatComposerProps) => (
  <AnswerSettings
    model={findModel(models, chat.model_id)}
    chosen={chat}
    onChange={actions.update}
    disabled={chat.archived}
  />
);

/** The actions of the queue; sending a message now asks before it cancels calls that the person is asked for. */
const useQueue = (chat: ChatSnapshot, askedCalls: number) => {
  const { promote, steer, remove, pendingAction, errorMessage } = useQueueActions(chat);
  const [question, ask] = useConfirm();
  const sendNow = ({ id }: QueuedMessage): void => {
    const send = (): void => promote(id, listOpenCallIds(chat.required_action));
    if (askedCalls === 0) send();
    else ask(toCancelQuestion(askedCalls, "send"), send);
  };
  const takeBackMessage = (message: QueuedMessage): void =>
    remove(message.id, () => takeBack(chat.id, message));
  const last = chat.queue.at(-1);
  return {
    question,
    pendingAction,
    errorMessage,
    editLast:
      last &&
      ((): void => {
        if (!pendingAction) takeBackMessage(last);
      }),
    handleAction: (action: QueueAction, message: QueuedMessage): void => {
      if (action === "send-now") sendNow(message);
      else if (action === "steer") steer(message.id);
      else if (action === "remove") remove(message.id);
      else takeBackMessage(message);
    },
    promoteFirst: (): void => {
      const [first] = chat.queue;
      if (first && !pendingAction) sendNow(first);
    },
  };
};

/** Stands in for the module that reads drafts while it loads. */
const readNoDrafts = (): undefined => undefined;

/** Loads the part that knows the forms of calls when a chat waits for an answer. */
const useDraftModule = (isNeeded: boolean): typeof Answering | undefined => {
  const [module, setModule] = useState<typeof Answering>();
  // Syncs with the module loader.
  useEffect(() => {
    if (!isNeeded || module) return undefined;
    let isMounted = true;
    importPart(loadAnswering)
      .then((loaded) => isMounted && setModule(loaded))
      .catch(reportError);
    return () => {
      isMounted = false;
    };
  }, [isNeeded, module]);
  return module;
};

/**
 * @returns the ids of all open calls, how many of them the person is asked for, and a function that adds a text to the
 * answer of one of these that takes text, if there is one.
 */
const useOpenCalls = ({ chat, onAnswerFilled }: ChatComposerProps, onUsed: () => void) => {
  const action = chat.required_action ?? undefined;
  const forms = useDraftModule(action !== undefined);
  const { drafts, setDraft } = useAnswerDrafts<Draft>(
    chat.id,
    action,
    forms?.readDrafts ?? readNoDrafts,
  );
  const asked = action?.tool_calls.filter((call) => isAskedCall(call, drafts)) ?? [];
  const call = forms?.findTextCall(asked, drafts);
  const addAnswer = (text: string): void => {
    if (!forms || !call) return;
    setDraft(call.tool_call_id, forms.addText(call, drafts[call.tool_call_id], text));
    onUsed();
    onAnswerFilled(call.tool_call_id);
  };
  return {
    // What is cancelled are the calls of this render, which the composer asks about: others may open since.
    openCallIds: listOpenCallIds(chat.required_action),
    askedCalls: asked.length + (action?.approvals.length ?? 0),
    addAsAnswer: call && addAnswer,
  };
};

/** Makes a message the draft. What it mentions without having chosen it is the text of a server. */
const takeBack = (chatId: string, { content, mentions }: QueuedMessage): void => {
  const text = content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n\n");
  const files = content.flatMap((part) => (part.type === "file" ? toArtifact(part) : []));
  const chosen = mentions ? [...mentions.tools, ...mentions.groups] : [];
  const ignoredNames = listMentionedNames(text).filter((name) => !chosen.includes(name));
  replaceDraft(chatId, { text, files, ignoredNames });
};
