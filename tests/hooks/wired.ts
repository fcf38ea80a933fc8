/** The settings as a launcher renders them, and which of their commands an event runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	renderedSettingsPath,
	renderSettings,
	writeRenderedSettings,
} from "../../monitor/_state/rendered-settings.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { realProc } from "../../monitor/_sys/proc.ts";

export type Role = "worker" | "orchestrator";
export type Payload = Readonly<Record<string, unknown>>;
export interface Wired {
	readonly event: string;
	/** Empty: every call. */
	readonly matcher: string;
	readonly command: string;
	/** `stamp-clear over-limit`: the program's name and its arguments. */
	readonly short: string;
	readonly timeout: number;
}
interface Settings {
	readonly hooks: Readonly<
		Record<
			string,
			readonly {
				readonly matcher?: string;
				readonly hooks: readonly {
					readonly type: string;
					readonly command: string;
					readonly timeout: number;
				}[];
			}[]
		>
	>;
}

export function readTemplate(role: Role): string {
	return readFileSync(join(CODE_ROOT, `monitor/${role}-settings.json`), "utf8");
}

export function wiredIn(text: string): readonly Wired[] {
	const { hooks }: Settings = JSON.parse(text);
	return Object.entries(hooks).flatMap(([event, groups]) =>
		groups.flatMap(({ matcher = "", hooks: commands }) =>
			commands.map(({ command, timeout }) => ({
				event,
				matcher,
				command,
				timeout,
				short: command.replace(/^.*\/([\w-]+)\.[jt]s"/, "$1"),
			})),
		),
	);
}

/** As a launcher renders them below this state dir: what Claude Code really runs. */
export async function launched(
	role: Role,
	stateDir: string,
	codeRoot = CODE_ROOT,
): Promise<readonly Wired[]> {
	const doors = { files: realFiles(), proc: realProc() };
	const done = await writeRenderedSettings(doors, { codeRoot, stateDir }, role);
	if (done.kind !== "ok" || done.slowHooks !== undefined)
		throw new Error(JSON.stringify(done));
	return wiredIn(readFileSync(renderedSettingsPath(stateDir, role), "utf8"));
}

/** As they are rendered where no bundles can be made. */
export function wired(role: Role, root = CODE_ROOT): readonly Wired[] {
	return wiredIn(renderSettings(readTemplate(role), process.execPath, root));
}

/** Commands that Claude Code runs for this payload, all at once. */
export function commandsFor(
	all: readonly Wired[],
	payload: Payload,
): readonly Wired[] {
	return all.filter(
		({ event, matcher }) =>
			event === payload.hook_event_name &&
			(matcher === "" ||
				new RegExp(`^(?:${matcher})$`).test(String(payload.tool_name))),
	);
}

export interface Ended {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

/** Runs a command as Claude Code does: in a shell, the payload on standard input. `open` never ends the input. */
export async function runCommand(
	command: string,
	input: string | Uint8Array,
	env: Readonly<Record<string, string>>,
	opts: { readonly open?: boolean } = {},
): Promise<Ended> {
	const child = Bun.spawn(["sh", "-c", command], {
		env: { PATH: "/usr/bin:/bin", ...env },
		stdin: "pipe",
		stdout: "pipe",
		stderr: "pipe",
		timeout: 20_000,
		killSignal: "SIGKILL",
	});
	try {
		child.stdin.write(input);
		await child.stdin.flush();
		if (!opts.open) await child.stdin.end();
	} catch (error) {
		// A hook that has read its fill ends; what is left of a large payload then finds no reader.
		if (!(error instanceof Error && "code" in error && error.code === "EPIPE"))
			throw error;
	}
	const [out, err, code] = await Promise.all([
		child.stdout.text(),
		child.stderr.text(),
		child.exited,
	]);
	return { code, out, err };
}
