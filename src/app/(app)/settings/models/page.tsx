import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { ModelsScreen } from "@/client/screens/settings/models-screen";

const ModelsPage = () => (
  <OwnerPage>
    <ModelsScreen />
  </OwnerPage>
);
export default ModelsPage;
