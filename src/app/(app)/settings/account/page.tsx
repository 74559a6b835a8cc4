export { AccountScreen as default } from "@/client/screens/settings/account-screen";
