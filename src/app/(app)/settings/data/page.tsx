export { DataScreen as default } from "@/client/screens/settings/data-screen";
