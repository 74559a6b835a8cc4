import { EmptyState } from "@/components/ui/empty-state";

const MissingSettings = () => (
  <EmptyState
    kind="missing"
    size="list"
    title="There is no such settings page"
    text="The link may be outdated. All pages of the settings are listed above."
  />
);
export default MissingSettings;
