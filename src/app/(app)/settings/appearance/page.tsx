import { AppearanceScreen } from "./appearance-screen";

const AppearancePage = () => <AppearanceScreen />;
export default AppearancePage;
