"use client";
import { useNavigate } from "@/client/use-navigate";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { useShell } from "./shell-context";

/** An address without a page, for a person who has signed in: the chat list stays. */
const NotFound = () => {
  const navigate = useNavigate();
  const { openSidebar } = useShell();
  return (
    <>
      <title>Not found · Parley</title>
      <EmptyState
        kind="missing"
        size="page"
        title="There is nothing at this address"
        text="The link may be old, or a letter of it is missing. Your chats are where they were."
      >
        <Button variant="primary" onClick={() => navigate("/")}>
          New chat
        </Button>
        <span className="md:hidden">
          <Button onClick={openSidebar}>Open chat list</Button>
        </span>
      </EmptyState>
    </>
  );
};
export default NotFound;
