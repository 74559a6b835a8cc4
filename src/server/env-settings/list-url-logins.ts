type Variables = Readonly<Record<string, string | undefined>>;

/** What a URL has before the `@` of its host, as it is written there. */
export type UrlLogin = { user: string; password: string };

const LOGIN = /[a-z][\w+.-]*:\/\/([^\s/?#]+)@/gi;
/** The address of a PostgreSQL server may have it there, too. */
const PARAMETER = /[?&](?:ssl)?password=([^\s&#]+)/gi;
/** Programs take the address of a proxy also without its scheme. */
const PROXY_NAME = /_proxy$/i;

/** Lists the logins in all URLs of the environment, such as that of the network's proxy, also of variables that only commands read. */
export const listUrlLogins = (variables: Variables): UrlLogin[] =>
  Object.entries(variables).flatMap(([name, value = ""]) => {
    const isBare = PROXY_NAME.test(name) && !value.includes("://");
    const text = isBare ? `http://${value.trim()}` : value;
    const logins = [...text.matchAll(LOGIN)].map(([, login = ""]) => toLogin(login));
    const parameters = [...text.matchAll(PARAMETER)].map(([, password = ""]) => ({
      user: "",
      password,
    }));
    return [...logins, ...parameters];
  });

const toLogin = (login: string): UrlLogin => {
  const [user = "", ...password] = login.split(":");
  return { user, password: password.join(":") };
};
