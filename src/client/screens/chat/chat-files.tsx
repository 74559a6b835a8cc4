"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useChatFiles } from "@/client/use-chat-files";
import { FilesPanel } from "@/components/chat/files-panel";

type ChatFilesProps = { chatId: string; open: boolean; onClose: () => void };

/** The files of the chat on the screen, which are loaded each time they are shown. */
const ChatFiles = ({ chatId, open, onClose }: ChatFilesProps) => {
  const files = useChatFiles(chatId, open);
  return (
    <FilesPanel
      open={open}
      onClose={onClose}
      chatId={chatId}
      files={toLoadable(files)}
      onReload={toReload(files)}
      onLoadMore={
        files.hasNextPage
          ? () => {
              files.fetchNextPage().catch(reportError);
            }
          : undefined
      }
      isLoadingMore={files.isFetchingNextPage}
      hasMoreFailed={files.isFetchNextPageError}
    />
  );
};
export default ChatFiles;
