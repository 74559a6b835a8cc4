import { PlaygroundScreen } from "./playground-screen";

const PlaygroundPage = () => <PlaygroundScreen />;
export default PlaygroundPage;
