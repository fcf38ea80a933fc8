/** Words after `thrum` for each call (contract 09 §5), exactly. Pure. */
import { bareName } from "../../_state/fleet/names.ts";
import type {
	Key,
	LaunchRequest,
	MonitorSpec,
	Pin,
	SessionRequest,
} from "../fleet.ts";

type Words = readonly string[];

const pin = (o: Pin): Words => ["--model", o.model, "--effort", o.effort];
const opt = (flag: string, value: string | undefined): Words =>
	value === undefined ? [] : [flag, value];

export const ARGV = {
	team: (scoped: boolean): Words =>
		scoped ? ["team", "--offline", "--json"] : ["team", "--all", "--json"],
	/** The online-only read omits sleeping agents, and looks like "no such agent". */
	member: (agent: string): Words => [
		"team",
		`@${bareName(agent)}`,
		"--offline",
		"--json",
	],
	whoami: ["whoami", "--json"] as Words,
	/** Never with `--name`, `--role` or `--module`: those create the session too. */
	worktreeCreate: (
		name: string,
		o: { readonly branch?: string; readonly base?: string },
	): Words => [
		"worktree",
		"create",
		name,
		...opt("-b", o.branch),
		...opt("--base", o.base),
		"--json",
	],
	worktreeRemove: (name: string, deleteBranch: boolean): Words => [
		"worktree",
		"teardown",
		name,
		...(deleteBranch ? ["--delete-branch"] : []),
	],
	sessionCreate: (s: SessionRequest): Words => [
		"tmux",
		"create",
		s.session,
		"--cwd",
		s.cwd,
		"--name",
		s.agent,
		"--role",
		s.role,
		"--module",
		s.module,
		...opt("--intent", s.intent),
		...opt("--runtime", s.runtime),
		...pin(s),
		"--json",
	],
	/** The pin goes on both: launch is what resolves it. */
	sessionLaunch: (s: LaunchRequest): Words => [
		"tmux",
		"launch",
		s.session,
		...opt("--runtime", s.runtime),
		...pin(s),
		"--json",
	],
	sessionKill: (session: string): Words => ["tmux", "kill", session],
	/** Never `--force`, which drops the model pin. */
	sessionRestart: (session: string, o: Pin): Words => [
		"tmux",
		"restart",
		session,
		...pin(o),
		...opt("--runtime", o.runtime),
		"--json",
	],
	sessions: ["tmux", "status", "--json"] as Words,
	capture: (who: string, lines: number, daemonId?: string): Words => [
		"tmux",
		"capture",
		who,
		"--lines",
		String(lines),
		...opt("--daemon-id", daemonId),
	],
	sendKeys: (who: string, keys: readonly Key[]): Words => [
		"tmux",
		"send",
		who,
		"--keys",
		keys.join(","),
	],
	sendText: (who: string, text: string): Words => ["tmux", "send", who, text],
	send: (to: string): Words => ["send", "--to", to, "--stdin", "--json"],
	reply: (id: string): Words => ["reply", id, "--stdin", "--json"],
	inbox: (unread: boolean, limit: number): Words => [
		"inbox",
		...(unread ? ["--unread"] : []),
		"--limit",
		String(limit),
		"--json",
	],
	sent: (unread: boolean, to: string | undefined, limit: number): Words => [
		"sent",
		...(unread ? ["--unread"] : []),
		...opt("--to", to === undefined ? undefined : `@${bareName(to)}`),
		"--limit",
		String(limit),
		"--json",
	],
	detect: (paneFile: string, runtime: string): Words => [
		"detect",
		"--category",
		"permission",
		"--pane-file",
		paneFile,
		"--runtime",
		runtime,
	],
	/** Some builds deliver nothing for a scheduled job on a match alone: notify-on-success is always set. */
	monitorStart: (m: MonitorSpec): Words => [
		"monitor",
		"start",
		"--name",
		m.name,
		"--match",
		m.match,
		"--to",
		`@${bareName(m.to)}`,
		"--cwd",
		m.cwd,
		...Object.entries(m.env).flatMap(([k, v]) => ["--env", `${k}=${v}`]),
		"--notify-on-success",
		"--schedule",
		m.schedule,
		"--",
		...m.argv,
	],
	monitorList: (all: boolean): Words => [
		"monitor",
		"list",
		...(all ? ["--all"] : []),
		"--json",
	],
	monitorShow: (name: string): Words => ["monitor", "show", name, "--json"],
	monitorStop: (name: string): Words => ["monitor", "stop", name],
	monitorDelete: (name: string): Words => ["monitor", "delete", name],
	stateShow: (kind: string, scope: string): Words => [
		"state",
		"show",
		`${kind}:${scope}`,
		"--json",
	],
	stateList: (kind: string): Words => [
		"state",
		"list",
		"--kind",
		kind,
		"--json",
	],
} as const;
