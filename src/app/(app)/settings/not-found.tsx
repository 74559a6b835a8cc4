import { EmptyState } from "@/components/ui/empty-state";

const MissingSettings = () => (
  <EmptyState
    kind="missing"
    size="page"
    title="There is no such settings page"
    text="The link may be outdated. All pages of the settings are in the list."
  />
);
export default MissingSettings;
