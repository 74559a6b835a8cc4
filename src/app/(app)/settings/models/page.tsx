import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { ModelsScreen } from "./models-screen";

const ModelsPage = () => (
  <OwnerPage>
    <ModelsScreen />
  </OwnerPage>
);
export default ModelsPage;
