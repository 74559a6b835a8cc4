import { EmptyState } from "@/components/ui/empty-state";

/** Below the header of the reference, which visitors have, too. */
const NotFound = () => (
  <EmptyState
    kind="missing"
    size="list"
    title="Page not found"
    text="The reference has changed since this link was made, or the link is incomplete."
  >
    <a href="/docs" className="font-medium text-accent underline underline-offset-2">
      Go to the overview
    </a>
  </EmptyState>
);
export default NotFound;
