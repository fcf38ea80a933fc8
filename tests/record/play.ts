/** Plays one act in a private tmux server against a scripted model, and judges every scene's screen. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseLine } from "../../monitor/_pane/line.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { judgeScreen } from "../pane/fixtures.ts";
import { type Claude, startClaude } from "../support/claude-harness.ts";
import { startTestModel } from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import type { Binary } from "./binary.ts";
import { SUBSCRIBER, startLimitServer } from "./limit-server.ts";
import { type Act, IDLE, type Scene, type Stage } from "./scene.ts";

interface Told {
	readonly version: string;
	/** `160x45` */
	readonly size: string;
	readonly act: string;
	readonly scene: string;
}
export type Outcome = Told &
	(
		| { readonly kind: "unreached"; readonly why: string }
		| {
				readonly kind: "right" | "wrong";
				readonly want: Scene;
				readonly line: string;
				readonly session: string;
				/** As captured, with attributes. */
				readonly capture: string;
				readonly plain: string;
				/** `cursor_x cursor_y width height cursor_flag pane_dead` */
				readonly cursor: string;
				readonly sessionFile: string | null;
		  }
	);

export interface Place {
	readonly binary: Binary;
	readonly columns: number;
	readonly rows: number;
	/** Added to Claude Code's environment: `CI=true` takes its colours away. */
	readonly env: Readonly<Record<string, string>>;
}

/** A screen is judged several times: between two frames it may look different. */
const FRAMES = 3;
const FRAME_MS = 70;
const IDLE_STATES: ReadonlySet<string> = new Set(IDLE);
const BOX = /❯|^>/m;
const proc = realProc();

export async function playAct(act: Act, place: Place): Promise<Outcome[]> {
	const { columns, rows, binary } = place;
	const added = Object.entries(place.env).map(([name, of]) => `-${name}-${of}`);
	const told = {
		version: [binary.version, ...added].join(""),
		size: `${columns}x${rows}`,
		act: act.name,
	};
	const tmux = startPrivateTmux({ columns, rows });
	const model = startTestModel(act.rules);
	const limited = act.limit === undefined ? null : startLimitServer(act.limit);
	const outcomes: Outcome[] = [];
	try {
		const claude = await raise(act, place, tmux, limited ?? model);
		const isBlocked = () =>
			parseLine(judgeScreen(shot(claude, tmux)).line)?.state === "blocked";
		const stage: Stage = { claude, tmux, release: model.release, isBlocked };
		for (const scene of act.scenes) {
			const played = await playScene(scene, stage);
			outcomes.push({ ...told, scene: scene.name, ...played });
		}
		claude.close();
	} catch (e) {
		const why = String(e).slice(0, 1500);
		outcomes.push({ ...told, scene: "(start)", kind: "unreached", why });
	} finally {
		await tmux.kill();
		endDaemons(tmux.dir);
		await model.stop();
		await limited?.stop();
	}
	return outcomes;
}

async function raise(
	act: Act,
	{ binary, env }: Place,
	tmux: PrivateTmux,
	model: { readonly url: string },
): Promise<Claude> {
	const cwd = join(tmux.dir, "proj");
	mkdirSync(cwd, { recursive: true });
	for (const [name, body] of Object.entries(act.files ?? {})) {
		mkdirSync(dirname(join(cwd, name)), { recursive: true });
		writeFileSync(join(cwd, name), body);
	}
	const own = join(tmux.dir, "own-config");
	if (act.config) {
		mkdirSync(own, { recursive: true });
		writeFileSync(join(own, ".claude.json"), JSON.stringify(act.config));
	}
	const claude = await startClaude({
		...act.options,
		tmux,
		model,
		cwd,
		noWait: true,
		binary: act.inShell ? shellAround(tmux.dir, binary.path) : binary.path,
		env: {
			...env,
			...act.options?.env,
			...(act.config ? { CLAUDE_CONFIG_DIR: own } : {}),
			...(act.limit ? SUBSCRIBER : {}),
		},
	});
	await claude.waitForScreen(act.opensWith ?? BOX, 30_000);
	await Bun.sleep(900);
	return claude;
}

/** The agents view leaves a daemon behind that outlives its pane: ended by pid, known by its folder. */
function endDaemons(dir: string): void {
	const table = proc.table();
	for (const { pid } of table.kind === "ok" ? table.value : []) {
		const environ = proc.environ(pid);
		const home =
			environ.kind === "ok" ? environ.value.CLAUDE_CONFIG_DIR : undefined;
		if (home?.startsWith(`${dir}/`)) proc.signal(pid, "SIGKILL");
	}
}

/** Claude Code as a person starts it: in a shell that is still there afterwards. */
function shellAround(dir: string, path: string): string {
	const script = join(dir, "in-shell");
	writeFileSync(
		script,
		`#!/bin/sh\n"${path}" "$@"\nprintf 'shell prompt $ '\nexec cat\n`,
	);
	chmodSync(script, 0o755);
	return script;
}

type Played = Outcome extends infer O
	? O extends Outcome
		? Omit<O, keyof Told>
		: never
	: never;

async function playScene(scene: Scene, stage: Stage): Promise<Played> {
	const { claude, tmux } = stage;
	let played: Played;
	try {
		for (const step of scene.play) await step(stage);
		const frames: ReturnType<typeof shoot>[] = [];
		for (let i = 0; i < FRAMES; i++) {
			frames.push(shoot(scene, claude, tmux));
			await Bun.sleep(FRAME_MS);
		}
		played = frames.find((f) => f.kind === "wrong") ?? frames[0]!;
	} catch (e) {
		played = { kind: "unreached", why: String(e).slice(0, 4000) };
	}
	try {
		for (const step of scene.leave ?? []) await step(stage);
	} catch {
		// The next scene says whether it minds.
	}
	return played;
}

function shot(claude: Claude, tmux: PrivateTmux): string {
	return `${tmux.run("capture-pane", "-e", "-p", "-N", "-t", claude.paneId)}\n`;
}

function shoot(scene: Scene, claude: Claude, tmux: PrivateTmux) {
	const capture = shot(claude, tmux);
	const format =
		"#{cursor_x} #{cursor_y} #{pane_width} #{pane_height} #{cursor_flag} #{pane_dead}";
	const { line } = judgeScreen(capture);
	const reading = parseLine(line);
	const keys = Object.entries(scene.keys ?? {});
	const session = claude.session();
	const state = reading?.state ?? "";
	const isSilent = scene.bySession && session?.status === "idle";
	const isWanted =
		scene.want.includes(state) || (isSilent && IDLE_STATES.has(state));
	const isRight =
		isWanted && keys.every(([key, value]) => reading?.get(key) === value);
	return {
		kind: isRight ? ("right" as const) : ("wrong" as const),
		want: scene,
		line,
		session: `${session?.status ?? "-"}${session?.waitingFor ? `/${session.waitingFor}` : ""}`,
		capture,
		plain: claude.screen(),
		cursor: tmux.run("display-message", "-p", "-t", claude.paneId, format),
		sessionFile: session === null ? null : JSON.stringify(session),
	};
}
