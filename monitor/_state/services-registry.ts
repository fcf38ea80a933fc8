/**
 * `services.registry`: the services an operator asked to be looked after (contract 06 §2). The one parser, for
 * everybody: five copies of it once disagreed about what an empty column means.
 */
import { isAbsolute, join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { harmless } from "../_sys/stderr.ts";

const SERVICE_POLICIES = ["auto-restart", "emit-only"] as const;
export type ServicePolicy = (typeof SERVICE_POLICIES)[number];

export interface ServiceRow {
	readonly name: string;
	/** Absolute; folder of launch and check. */
	readonly workdir: string;
	/** Shell command line of a loop that keeps the service up; as written. */
	readonly launch: string;
	/** Shell command; exit 0 = healthy; as written. */
	readonly healthcheck: string;
	/** Absolute. */
	readonly logfile: string;
	readonly policy: ServicePolicy;
}

/** What a row's text is read against. */
export interface RegistryGround {
	/** Value of `$NEXUS_ROOT`. */
	readonly root: string;
	/** Value of a leading `~`. */
	readonly home: string;
	readonly defaultPolicy: ServicePolicy;
}

/** Never to be merged: no file is the answer "no services"; an unreadable one is no answer at all (exit 79). */
export type RegistryResult =
	| { readonly kind: "absent" }
	| {
			readonly kind: "rows";
			readonly rows: readonly ServiceRow[];
			/** One line each, naming the registry's line. */
			readonly warnings: readonly string[];
	  }
	| { readonly kind: "unreadable"; readonly error: string };

/** Exit code of every program that had to read the registry and could not. */
export const REGISTRY_UNREADABLE_EXIT = 79;

type Env = Readonly<Record<string, string | undefined>>;

/** `NEXUS_SERVICES_REGISTRY`, else `<root>/monitor/services.registry`. */
export function servicesRegistryPath(env: Env, root: string): string {
	return env.NEXUS_SERVICES_REGISTRY || join(root, "monitor/services.registry");
}

/** Read at every use: an edit needs no restart. */
export function readRegistry(
	files: Pick<Files, "read">,
	path: string,
	ground: RegistryGround,
): RegistryResult {
	const read = files.read(path);
	if (read.kind === "absent") return { kind: "absent" };
	if (read.kind === "unreadable")
		return { kind: "unreadable", error: read.reason };
	return parseRegistry(read.text, ground);
}

/** The registry of this root, as everybody reads it: its place from the environment, `~` the caller's home. */
export function openRegistry(
	files: Pick<Files, "read">,
	env: Env,
	root: string,
	defaultPolicy: ServicePolicy,
): RegistryResult {
	const home = env.HOME || "/";
	const ground = { root, home, defaultPolicy };
	return readRegistry(files, servicesRegistryPath(env, root), ground);
}

/** Pure; never throws. A bad row is left out with a warning and costs no other row. */
export function parseRegistry(
	text: string,
	ground: RegistryGround,
): RegistryResult {
	if (text === "") return { kind: "unreadable", error: "zero bytes" };
	if (text.includes("\0"))
		return { kind: "unreadable", error: "NUL bytes in it" };
	const rows: ServiceRow[] = [];
	const warnings: string[] = [];
	for (const [at, raw] of text.split("\n").entries()) {
		const line = raw.replace(/\r$/, "");
		if (/^\s*(?:#|$)/.test(line)) continue;
		const warn = (what: string) =>
			warnings.push(`line ${at + 1}: ${harmless(what)}`);
		const fields = line.split("\t");
		const fault = faultOf(fields, rows);
		if (fault !== null) warn(`${fault}; the row is skipped`);
		else rows.push(rowOf(fields, rows, ground, warn));
	}
	return { kind: "rows", rows, warnings };
}

/** `unreadable`: there may be services, and nobody knows which windows are theirs. */
export type ServiceNames =
	| { readonly kind: "ok"; readonly names: ReadonlySet<string> }
	| { readonly kind: "unreadable"; readonly why: string };

/** The names alone, for whoever must only tell a service's window from a worker's. */
export function readServiceNames(
	files: Pick<Files, "read">,
	path: string,
): ServiceNames {
	const found = readRegistry(files, path, NAMES_ONLY);
	switch (found.kind) {
		case "absent":
			return { kind: "ok", names: new Set() };
		case "unreadable":
			return { kind: "unreadable", why: found.error };
		case "rows":
			return { kind: "ok", names: new Set(found.rows.map((r) => r.name)) };
	}
}

const NAMES_ONLY: RegistryGround = {
	root: "/",
	home: "/",
	defaultPolicy: "auto-restart",
};

const COLUMNS = ["name", "workdir", "launch", "healthcheck"] as const;
/** The verbs mean these by them, so that a service of the name could never be acted on. */
const TAKEN = ["watcher", "orchestrator"];

function faultOf(
	fields: readonly string[],
	earlier: readonly ServiceRow[],
): string | null {
	const [name = ""] = fields;
	const empty = COLUMNS.find((_, i) => (fields[i] ?? "").trim() === "");
	if (empty !== undefined) {
		const hint =
			fields.length < COLUMNS.length
				? ` (${fields.length} of at least ${COLUMNS.length} columns; single tabs stand between them)`
				: "";
		return `${empty} is empty${hint}`;
	}
	// It becomes part of file names.
	if (/[\s/\u0000-\u001f\u007f-\u009f]|\.\./.test(name) || name === ".")
		return `${JSON.stringify(name)} cannot be a name: no blanks, no '/', no '..'`;
	if (TAKEN.includes(name)) return `'${name}' is not a service's name to take`;
	if (earlier.some((r) => r.name === name))
		return `'${name}' is there already; the first row counts`;
	return null;
}

function rowOf(
	fields: readonly string[],
	earlier: readonly ServiceRow[],
	ground: RegistryGround,
	warn: (what: string) => void,
): ServiceRow {
	const [name = "", folder = "", launch = "", healthcheck = ""] = fields;
	const workdir = below(ground.root, expand(folder, ground));
	const log = expand(fields[4] ?? "", ground);
	const wanted = (fields[5] ?? "").replace(/\s/g, "");
	const policy = SERVICE_POLICIES.find((p) => p === wanted);
	if (policy === undefined && wanted !== "")
		warn(
			`'${name}': unknown policy ${JSON.stringify(wanted)}; ${ground.defaultPolicy} it is`,
		);
	const twin = earlier.find(
		(r) => r.healthcheck === healthcheck && r.workdir === workdir,
	);
	if (twin !== undefined)
		warn(
			`'${name}' has the healthcheck of '${twin.name}': when one of them answers, both look well`,
		);
	return {
		name,
		workdir,
		launch,
		healthcheck,
		logfile: below(workdir, log === "" ? "serve.log" : log),
		policy: policy ?? ground.defaultPolicy,
	};
}

function expand(text: string, { root, home }: RegistryGround): string {
	return text
		.trim()
		.replace(/^~(?=\/|$)/, () => home)
		.replaceAll(/\$NEXUS_ROOT(?![A-Za-z0-9_])/g, () => root);
}

function below(folder: string, path: string): string {
	return isAbsolute(path) ? path : join(folder, path);
}
