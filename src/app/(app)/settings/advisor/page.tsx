import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { AdvisorScreen } from "./advisor-screen";

const AdvisorPage = () => (
  <OwnerPage>
    <AdvisorScreen />
  </OwnerPage>
);
export default AdvisorPage;
