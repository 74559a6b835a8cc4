import { EmptyState } from "@/components/ui/empty-state";
import { MainArea } from "@/components/ui/main-area";

const NotFound = () => (
  <MainArea className="flex min-h-dvh flex-col">
    <title>Not found · Parley</title>
    <EmptyState
      kind="missing"
      size="page"
      title="Page not found"
      text="The link may be outdated or incomplete. Your chats have not changed."
    >
      <a href="/" className="font-medium text-accent underline underline-offset-2">
        Go to your chats
      </a>
    </EmptyState>
  </MainArea>
);
export default NotFound;
