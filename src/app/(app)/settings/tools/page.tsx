import { ToolsScreen } from "./tools-screen";

const ToolsPage = () => <ToolsScreen />;
export default ToolsPage;
