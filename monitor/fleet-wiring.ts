/** Joins the fleet to what it must not know itself: pane reading, delivery, trust, the operator's notifier (contract 09 §3). */
import type { Config } from "../config/schema.ts";
import { pressAgentKeys } from "./_delivery/agent-keys.ts";
import { clean } from "./_delivery/clean.ts";
import { deliverText, type TextDeps } from "./_delivery/deliver-text.ts";
import { deliverToOther } from "./_delivery/other-runtime.ts";
import { timingsOf } from "./_delivery/timings.ts";
import { underPaneLock } from "./_delivery/under-lock.ts";
import type { FleetHands, KeysEnd, TextEnd } from "./_fleet/hands.ts";
import type { FleetDeps } from "./_fleet/open.ts";
import { otherLook } from "./_fleet/other-look.ts";
import { fleetSettings } from "./_fleet/settings.ts";
import { readScreen, rowTexts } from "./_pane/facts.ts";
import { parseGrid } from "./_pane/grid.ts";
import { makeLookAt } from "./_pane/look.ts";
import { permissionPrompt } from "./_pane/permission.ts";
import { readerSettings } from "./_pane/settings.ts";
import { isWorkerName } from "./_pane/workers.ts";
import {
	forgetFolder,
	isFolderTrusted,
	trustFolders,
} from "./_state/claude-config.ts";
import type { Home } from "./_state/home.ts";
import {
	readServiceNames,
	servicesRegistryPath,
} from "./_state/services-registry.ts";
import type { Doors, PaneRow } from "./_sys/doors.ts";
import { programArgv } from "./_sys/names.ts";

const CLAUDE = "claude";
const NOTIFY_MS = 30_000;

/** What `openFleet` needs, but the place. `target`: the orchestrator's window, when a flag overrides the configuration. */
export function fleetDeps(
	doors: Doors,
	home: Home,
	config: Config,
	target = config["monitor.target_window"],
): FleetDeps {
	return {
		doors,
		hands: fleetHands(doors, home, config, target),
		settings: { ...fleetSettings(config), targetWindow: target },
	};
}

function fleetHands(
	doors: Doors,
	home: Home,
	config: Config,
	target: string,
): FleetHands {
	const { stateDir } = home;
	const look = makeLookAt({
		doors,
		stateDir,
		settings: { ...readerSettings(config), targetWindow: target },
	});
	return {
		...typingHands({
			doors,
			stateDir,
			lookAt: look,
			timings: timingsOf(config),
			orchestratorWindow: target,
		}),
		clean: (text, command) => clean(text, { command }).text,
		look,
		grid: parseGrid,
		question,
		agentWindows: () => agentWindows(doors, home, config, target),
		trust: async (folder) => {
			const done = await trustFolders(doors, doors.proc.env, [folder]);
			return done.kind === "ok" ? null : done.reason;
		},
		isTrusted: (folder) => isFolderTrusted(doors.files, doors.proc.env, folder),
		distrust: async (folder) => {
			const done = await forgetFolder(doors, doors.proc.env, folder);
			return done.kind === "ok" ? null : done.reason;
		},
		notify: (title, body) => notify(doors, home, title, body),
	};
}

/** Text and keys into panes, each under its window's paste lock. `deps.lookAt` reads claude; other programs are read by the table of prompts. */
export function typingHands(
	deps: TextDeps,
): Pick<FleetHands, "deliver" | "press"> {
	const { doors, timings } = deps;
	const lookOf = (runtime: string) =>
		runtime === CLAUDE ? deps.lookAt : otherLook(doors.tmux, runtime);
	const { lockMs } = timings;

	return {
		deliver: async ({ pane, window, text, command, runtime, signal }) => {
			const role = "fleet";
			const type = async (now: PaneRow): Promise<TextEnd> => {
				if (runtime === CLAUDE)
					return (
						(await deliverText(deps, now, {
							window,
							text,
							command,
							role,
							signal,
						})) ?? { outcome: "clean-failed", reason: "no temporary file" }
					);
				const lookAt = lookOf(runtime);
				const place = { pane: now, window, command, role, signal };
				return deliverToOther({ ...deps, lookAt, ...place }, text);
			};
			const work = await underPaneLock(deps, { pane, lockMs }, signal, type);
			return work.kind === "done" ? work.value : textUnreached(work);
		},
		press: async ({ pane, keys, runtime, signal }) => {
			const hands = { doors, lookAt: lookOf(runtime) };
			const type = (now: PaneRow) => pressAgentKeys(hands, now, keys, signal);
			const work = await underPaneLock(deps, { pane, lockMs }, signal, type);
			return work.kind === "done" ? work.value : keysUnreached(work);
		},
	};
}

interface Unreached {
	readonly kind: "busy" | "gone" | "unknown";
	readonly why: string;
}

function textUnreached({ kind, why }: Unreached): TextEnd {
	const outcomes = {
		busy: "busy",
		gone: "dead-pane",
		unknown: "pane-unknown",
	} as const;
	return { outcome: outcomes[kind], reason: why };
}

function keysUnreached({ kind, why }: Unreached): KeysEnd {
	return { kind: kind === "busy" ? "withheld" : kind, why, sent: [] };
}

/** One truth with the watcher: a dialog counts only where a live one can stand. */
function question(capture: string): string | null {
	const facts = readScreen(capture);
	if (facts?.overlay?.kind !== "permission") return null;
	return permissionPrompt(rowTexts(facts))?.question ?? null;
}

function agentWindows(
	{ files, proc }: Doors,
	home: Home,
	config: Config,
	target: string,
): (window: string) => boolean {
	const registry = servicesRegistryPath(proc.env, home.root);
	const services = readServiceNames(files, registry);
	const rules = {
		target,
		servicesWindow: config["monitor.services_window"],
		services: services.kind === "ok" ? services.names : new Set<string>(),
	};
	return (window) => window === target || isWorkerName(window, rules);
}

/** Null: it rang, or no notifier is configured. */
async function notify(
	{ proc }: Doors,
	{ codeRoot }: Home,
	title: string,
	body: string,
): Promise<string | null> {
	const argv = programArgv(proc.execPath, "notify", [title, body], codeRoot);
	const done = await proc.exec(argv, { timeoutMs: NOTIFY_MS });
	if (done.kind !== "exited") return done.kind;
	return done.rc === 0 ? null : done.stderr.trim() || `exit code ${done.rc}`;
}
