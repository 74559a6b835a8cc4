import { NewChatScreen } from "./new-chat-screen";

const NewChatPage = () => <NewChatScreen />;
export default NewChatPage;
