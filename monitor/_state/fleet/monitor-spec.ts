/** `T/monitors/<name>.json`: a scheduled job, as it was asked for (contract 09 §6.1, §7). */
import { join } from "node:path";
import { isObject, type JsonObject, textAt, valueAt } from "../json-object.ts";
import { entryFolder } from "./entries.ts";

export interface JobSpec {
	readonly id: string;
	readonly name: string;
	readonly argv: readonly string[];
	readonly match: string;
	readonly to: string;
	readonly cwd: string;
	/** Values are shown to nobody. */
	readonly env: Readonly<Record<string, string>>;
	readonly schedule: string;
	readonly notifyOnSuccess: boolean;
	readonly stopped: boolean;
	readonly createdAt: string;
	readonly updatedAt: string;
}

/** By name. A job that is stopped stays, so that its name stays taken. */
export const jobSpecs = entryFolder<JobSpec>({
	dirOf: monitorsDir,
	nameOf: ({ name }) => name,
	parse,
	render,
});

/** Specs, runtimes and logs of all jobs. */
export function monitorsDir(thrumDir: string): string {
	return join(thrumDir, "monitors");
}

/** Touched by every tick of a scheduler. */
export function schedulerBeatPath(thrumDir: string): string {
	return join(monitorsDir(thrumDir), ".heartbeat");
}

/** flock: one tick at a time, the watcher's or one by hand. */
export function tickLockPath(thrumDir: string): string {
	return join(thrumDir, "var/monitors.lock");
}

function render(spec: JobSpec): JsonObject {
	return {
		id: spec.id,
		name: spec.name,
		argv: spec.argv,
		match: spec.match,
		target: spec.to,
		cwd: spec.cwd,
		env: spec.env,
		schedule: spec.schedule,
		notify_on_success: spec.notifyOnSuccess,
		stopped: spec.stopped,
		created_at: spec.createdAt,
		updated_at: spec.updatedAt,
	};
}

function parse(json: JsonObject): JobSpec | null {
	const texts = ["id", "name", "target", "cwd", "schedule"].map((key) =>
		textAt(json, key),
	);
	const [id, name, to, cwd, schedule] = texts;
	const argv = strings(json.argv);
	const match = valueAt(json, "match");
	const { env } = json;
	if (!id || !name || !to || !cwd || !schedule) return null;
	if (argv === null || argv.length === 0 || typeof match !== "string")
		return null;
	if (!isObject(env)) return null;
	return {
		id,
		name,
		to,
		cwd,
		schedule,
		argv,
		match,
		env: Object.fromEntries(
			Object.entries(env).filter(
				(pair): pair is [string, string] => typeof pair[1] === "string",
			),
		),
		notifyOnSuccess: json.notify_on_success === true,
		stopped: json.stopped === true,
		createdAt: textAt(json, "created_at") ?? "",
		updatedAt: textAt(json, "updated_at") ?? "",
	};
}

function strings(value: unknown): readonly string[] | null {
	return Array.isArray(value) && value.every((v) => typeof v === "string")
		? value
		: null;
}
