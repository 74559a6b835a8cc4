import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { AdvisorScreen } from "@/client/screens/settings/advisor-screen";

const AdvisorPage = () => (
  <OwnerPage>
    <AdvisorScreen />
  </OwnerPage>
);
export default AdvisorPage;
