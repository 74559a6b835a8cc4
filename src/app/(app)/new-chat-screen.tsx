"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useCreateChat } from "@/client/use-create-chat";
import { useDraft } from "@/client/use-draft";
import { useModels } from "@/client/use-models";
import { EmptyChat } from "@/components/chat/empty-chat";
import { Composer } from "@/components/forms/composer";
import { ModelPicker } from "@/components/forms/model-picker";
import { ChatListButton } from "@/components/ui/page-header";
import { useShell } from "./shell-context";

const doNothing = (): void => undefined;

export const NewChatScreen = () => {
  const router = useRouter();
  const { openSidebar } = useShell();
  const models = useModels();
  const [modelId, setModelId] = useState<string | null>(null);
  const [draft, setDraft] = useDraft("new");
  const { create, isBusy, errorMessage } = useCreateChat((chatId) =>
    router.push(`/chats/${chatId}`),
  );
  const start = (text: string): void => {
    if (isBusy) return;
    setDraft("");
    create({ text, modelId });
  };
  return (
    <>
      <title>New chat · Parley</title>
      <header className="flex h-13 shrink-0 items-center px-2 md:hidden">
        <ChatListButton onOpenSidebar={openSidebar} />
      </header>
      <div className="flex min-h-0 flex-1 flex-col justify-center gap-6 overflow-y-auto py-6">
        <EmptyChat onSelect={start} disabled={isBusy} />
        <div className="mx-auto w-full max-w-[46rem] px-4">
          <Composer
            value={draft}
            onChange={setDraft}
            onSend={start}
            onStop={doNothing}
            onEscape={doNothing}
            onPromoteFirst={doNothing}
            status="waiting"
            queuedCount={0}
            isSending={isBusy}
            error={errorMessage}
            autoFocus
            modelPicker={
              models.length > 0 && (
                <ModelPicker models={models} value={modelId} onChange={setModelId} />
              )
            }
          />
        </div>
      </div>
    </>
  );
};
