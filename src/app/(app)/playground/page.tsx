export { PlaygroundScreen as default } from "@/client/screens/playground/playground-screen";
