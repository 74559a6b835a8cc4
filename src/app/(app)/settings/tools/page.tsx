export { ToolsScreen as default } from "@/client/screens/settings/tools-screen";
