export { NotificationsScreen as default } from "@/client/screens/settings/notifications-screen";
