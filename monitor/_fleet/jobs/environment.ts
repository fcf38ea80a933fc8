/** The environment of a job (contract 09 §7.2): little of ours, because a job must not depend on who started the watcher. Pure. */
import { dirname } from "node:path";
import { binDir } from "../../_state/fleet/store.ts";

const KEPT = ["HOME", "USER", "LANG", "TZ", "TMUX_TMPDIR"];
const SYSTEM_PATH = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];

/** The job's own words come last, and win. */
export function jobEnv(
	own: Readonly<Record<string, string | undefined>>,
	job: Readonly<Record<string, string>>,
	place: { readonly thrumDir: string; readonly bun: string },
): Readonly<Record<string, string>> {
	const kept = KEPT.flatMap((name) => {
		const value = own[name];
		return value ? [[name, value] as const] : [];
	});
	const path = [binDir(place.thrumDir), dirname(place.bun), ...SYSTEM_PATH];
	return { ...Object.fromEntries(kept), PATH: path.join(":"), ...job };
}
