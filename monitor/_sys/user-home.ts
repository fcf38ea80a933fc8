/** The home folder of whoever runs us. */
import { homedir } from "node:os";

/** `HOME`, else that of the account; `/` where it has none: a container's user need not have a row in `/etc/passwd`. */
export function userHome(
	env: Readonly<Record<string, string | undefined>>,
): string {
	if (env.HOME) return env.HOME;
	try {
		return homedir();
	} catch {
		return "/";
	}
}
