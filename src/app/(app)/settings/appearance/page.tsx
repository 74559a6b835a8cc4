export { AppearanceScreen as default } from "@/client/screens/settings/appearance-screen";
