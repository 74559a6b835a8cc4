import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { GroupsScreen } from "./groups-screen";

const GroupsPage = () => (
  <OwnerPage>
    <GroupsScreen />
  </OwnerPage>
);
export default GroupsPage;
