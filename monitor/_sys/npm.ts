/** npm, as far as Claude Code's installation needs it (contract 06 §11.3): found, bounded, never global. */
import type { Proc } from "./doors.ts";

type NpmDoors = { readonly proc: Pick<Proc, "which" | "exec" | "env"> };

export type FoundNpm =
	| { readonly kind: "ok"; readonly path: string }
	| { readonly kind: "failed"; readonly why: string };
export interface NpmRun {
	readonly ok: boolean;
	/** `exit code 1`, `timeout`, … */
	readonly how: string;
	/** Both streams. */
	readonly output: string;
}

const NPM_LIMIT_MS = 10 * 60_000;
const LOOK_LIMIT_MS = 60_000;
const OLDEST_NODE = 18;

/** npm's path, once a Node.js that is new enough stands beside it on PATH; a failure is the sentence to print. */
export async function findNpm({ proc }: NpmDoors): Promise<FoundNpm> {
	const node = proc.which("node");
	const npm = proc.which("npm");
	if (node === null || npm === null)
		return failed(
			`${node === null ? "node" : "npm"} is not on PATH; Node.js ${OLDEST_NODE} or newer with npm installs Claude Code`,
		);
	const said = await proc.exec([node, "--version"], {
		timeoutMs: LOOK_LIMIT_MS,
	});
	const major = said.kind === "exited" ? nodeMajor(said.stdout) : null;
	return major !== null && major >= OLDEST_NODE
		? { kind: "ok", path: npm }
		: failed(
				`${node} is ${major === null ? "of no known version" : `version ${major}`}; ${OLDEST_NODE} or newer is needed`,
			);
}

/** `argv` begins with the program that `findNpm` found. `cache` counts where the environment names none: the home may be read-only. */
export async function runNpm(
	{ proc }: NpmDoors,
	argv: readonly string[],
	opts: {
		readonly cwd: string;
		readonly cache: string;
		readonly signal?: AbortSignal;
		readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
	},
): Promise<NpmRun> {
	const { env } = proc;
	const { cwd, cache, ...rest } = opts;
	const done = await proc.exec(argv, {
		timeoutMs: NPM_LIMIT_MS,
		cwd,
		...rest,
		env: {
			...present(env),
			npm_config_cache: env.npm_config_cache || env.NPM_CONFIG_CACHE || cache,
			npm_config_audit: "false",
			npm_config_fund: "false",
		},
	});
	const output = "stdout" in done ? `${done.stdout}\n${done.stderr}` : "";
	if (done.kind !== "exited") return { ok: false, how: done.kind, output };
	return { ok: done.rc === 0, how: `exit code ${done.rc}`, output };
}

/** The first word of `<bin> --version`; null when it does not run. */
export async function versionOf(
	{ proc }: NpmDoors,
	bin: string,
): Promise<string | null> {
	const ran = await proc.exec([bin, "--version"], { timeoutMs: LOOK_LIMIT_MS });
	if (ran.kind !== "exited" || ran.rc !== 0) return null;
	return /^\s*(\S+)/.exec(ran.stdout)?.[1] ?? null;
}

/** Major of `v20.20.2`; null for anything else. */
function nodeMajor(output: string): number | null {
	const major = /^v(\d+)\./.exec(output.trim())?.[1];
	return major === undefined ? null : Number(major);
}

function present(
	env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
	return Object.fromEntries(
		Object.entries(env).filter(
			(pair): pair is [string, string] => pair[1] !== undefined,
		),
	);
}

function failed(why: string): FoundNpm {
	return { kind: "failed", why };
}
