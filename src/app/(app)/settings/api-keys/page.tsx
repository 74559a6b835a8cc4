export { ApiKeysScreen as default } from "@/client/screens/settings/api-keys-screen";
