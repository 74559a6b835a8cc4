import { ChatScreen } from "./chat-screen";

type ChatPageProps = { params: Promise<{ chatId: string }> };

const ChatPage = async ({ params }: ChatPageProps) => {
  const { chatId } = await params;
  return <ChatScreen key={chatId} chatId={chatId} />;
};
export default ChatPage;
