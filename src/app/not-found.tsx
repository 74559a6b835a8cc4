import { EmptyState } from "@/components/ui/empty-state";
import { MainArea } from "./main-area";

const NotFound = () => (
  <MainArea className="flex min-h-dvh flex-col">
    <title>Not found · Parley</title>
    <EmptyState
      kind="missing"
      size="page"
      title="There is nothing at this address"
      text="The link may be old, or a letter of it is missing. Your chats are where they were."
    >
      <a href="/" className="font-medium text-accent underline underline-offset-2">
        Go to your chats
      </a>
    </EmptyState>
  </MainArea>
);
export default NotFound;
