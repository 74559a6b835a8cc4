import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { AgentTypesScreen } from "./agent-types-screen";

const AgentTypesPage = () => (
  <OwnerPage>
    <AgentTypesScreen />
  </OwnerPage>
);
export default AgentTypesPage;
