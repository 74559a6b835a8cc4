-- Agents have no agents: the chats of a root are its children, which "chat_parent_idx" finds.
DROP INDEX "chat_root_idx";
