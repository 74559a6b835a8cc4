import { ChatScreen } from "@/client/screens/chat/chat-screen";
import { loadChat } from "./load-chat";

type ChatPageProps = { params: Promise<{ chatId: string }> };

const ChatPage = async ({ params }: ChatPageProps) => {
  const { chatId } = await params;
  return <ChatScreen key={chatId} chatId={chatId} opened={await loadChat(chatId)} />;
};
export default ChatPage;
