import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { McpServersScreen } from "@/client/screens/settings/mcp-servers-screen";

const McpServersPage = () => (
  <OwnerPage>
    <McpServersScreen />
  </OwnerPage>
);
export default McpServersPage;
