import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { AgentTypesScreen } from "@/client/screens/settings/agent-types-screen";

const AgentTypesPage = () => (
  <OwnerPage>
    <AgentTypesScreen />
  </OwnerPage>
);
export default AgentTypesPage;
