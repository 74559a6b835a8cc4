import { ApiKeysScreen } from "./api-keys-screen";

const ApiKeysPage = () => <ApiKeysScreen />;
export default ApiKeysPage;
