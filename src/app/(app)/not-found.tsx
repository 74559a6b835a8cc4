"use client";
import { useNavigate } from "@/client/use-navigate";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { useShell } from "@/client/screens/shell/shell-context";

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
        title="Page not found"
        text="The link may be outdated or incomplete. Your chats have not changed."
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
