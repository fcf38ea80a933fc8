/** The project that a report is filed under (contract 05 §7.1). Pure. */
import { excerpt } from "../../_sys/excerpt.ts";

export type Project =
	| { readonly kind: "ok"; readonly name: string }
	| { readonly kind: "refused"; readonly message: string };

/** A number would be read as one by whoever parses the fields. */
const PROJECT = /^[A-Za-z][A-Za-z0-9._-]*$/;

/** As given, else the clone below `work/`, else the worker's window, else `nexus`. */
export function projectOf(f: {
	readonly given: string | null;
	readonly cwd: string;
	/** `NEXUS_WORKER_WINDOW`. */
	readonly window: string;
}): Project {
	if (f.given !== null)
		return PROJECT.test(f.given)
			? { kind: "ok", name: f.given }
			: {
					kind: "refused",
					message: `not a project: '${excerpt(f.given)}' (it begins with a letter; an issue goes with --issue)`,
				};
	return { kind: "ok", name: belowWork(f.cwd) || plain(f.window) || "nexus" };
}

function belowWork(cwd: string): string {
	const at = `${cwd}/`.lastIndexOf("/work/");
	if (at < 0) return "";
	return cwd.slice(at + "/work/".length).split("/", 1)[0] ?? "";
}

function plain(window: string): string {
	return window.replace(/[^A-Za-z0-9._-]/g, "-").replace(/^-|-$/g, "");
}
