/** `services.registry`: the services an operator asked to be looked after (contract 06 §2). Here its place and the names in it. */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";

/** `NEXUS_SERVICES_REGISTRY`, else `<root>/monitor/services.registry`. */
export function servicesRegistryPath(
	env: Readonly<Record<string, string | undefined>>,
	root: string,
): string {
	return env.NEXUS_SERVICES_REGISTRY || join(root, "monitor/services.registry");
}

/** `unreadable`: there may be services, and nobody knows which windows are theirs. */
export type ServiceNames =
	| { readonly kind: "ok"; readonly names: ReadonlySet<string> }
	| { readonly kind: "unreadable"; readonly why: string };

/** Without a file there are no services. Zero bytes and NULs are what a full disk leaves, not an answer. */
export function readServiceNames(files: Files, path: string): ServiceNames {
	const read = files.read(path);
	if (read.kind === "absent") return { kind: "ok", names: new Set() };
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: read.reason };
	if (read.text === "" || read.text.includes("\0"))
		return { kind: "unreadable", why: "zero bytes, or NUL in it" };
	return { kind: "ok", names: parseServiceNames(read.text) };
}

/** Field 1 of each line whose first four fields hold something; blank, `#` and bad lines are skipped. Pure. */
export function parseServiceNames(text: string): ReadonlySet<string> {
	const names = text.split("\n").flatMap((line) => {
		const fields = line.replace(/\r$/, "").split("\t");
		const needed = [0, 1, 2, 3].map((at) => fields[at] ?? "");
		const isRow = !/^\s*(?:#|$)/.test(line) && !needed.includes("");
		return isRow ? [needed[0] ?? ""] : [];
	});
	return new Set(names);
}
