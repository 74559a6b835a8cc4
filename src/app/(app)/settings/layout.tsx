export { SettingsFrame as default } from "@/client/screens/settings/settings-frame";
