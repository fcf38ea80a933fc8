/** Who may change the configuration decides which GitHub login drives the fleet (contract 07 §9). */
import type { FileStat } from "../monitor/_sys/doors.ts";

export type ModeVerdict =
	| { readonly kind: "good" }
	| { readonly kind: "readable"; readonly message: string }
	| { readonly kind: "refused"; readonly message: string };

/** `ownUid` is ours; root may own the file, too. */
export function judgeMode(stat: FileStat, ownUid: number): ModeVerdict {
	const mode = `mode ${(stat.mode & 0o7777).toString(8).padStart(4, "0")}`;
	if (stat.uid !== ownUid && stat.uid !== 0)
		return refused(`owned by uid ${stat.uid}, expected ${ownUid}`);
	if (stat.mode & 0o020) return refused(`${mode}: its group may write it`);
	if (stat.mode & 0o002) return refused(`${mode}: anybody may write it`);
	if (stat.mode & 0o044)
		return { kind: "readable", message: `${mode}, expected 0600` };
	return { kind: "good" };
}

function refused(message: string): ModeVerdict {
	return { kind: "refused", message };
}
