import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { GroupsScreen } from "@/client/screens/settings/groups-screen";

const GroupsPage = () => (
  <OwnerPage>
    <GroupsScreen />
  </OwnerPage>
);
export default GroupsPage;
