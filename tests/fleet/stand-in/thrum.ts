/**
 * A `thrum` for tests: checks each command line against the contract, keeps its state in `STAND_IN_DIR`, and fails, hangs
 * or cuts its answer short where `faults.json` there says so by verb. A line that the contract does not know is written
 * to `violations`.
 */
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { detectPermission } from "../../../monitor/_fleet/permission.ts";
import { type Call, readCall } from "./grammar.ts";
import { HELP } from "./help.ts";

const dir = process.env.STAND_IN_DIR ?? "";
const me = process.env.THRUM_NAME ?? "";
const argv = process.argv.slice(2);

interface Agent {
	readonly agent_id: string;
	readonly role: string;
	readonly module: string;
	readonly runtime: string;
	readonly worktree: string;
	readonly tmux_session: string;
}
interface Faults {
	/** By verb: `fail`, `hang`, `truncate`, `down`. */
	readonly [verb: string]: string;
}

process.exitCode = await main();

async function main(): Promise<number> {
	appendFileSync(join(dir, "calls"), `${JSON.stringify(argv)}\n`);
	if (argv.at(-1) === "--help") return help(argv.slice(0, -1).join(" "));
	const call = readCall(argv);
	if (typeof call === "string") {
		appendFileSync(join(dir, "violations"), `${call}: ${argv.join(" ")}\n`);
		return error(`unknown command: ${call}`);
	}
	const fault = faults()[call.verb.words];
	if (fault === "down")
		return error("dial unix /run/thrum.sock: connection refused");
	if (fault === "hang") await Bun.sleep(60_000);
	if (fault === "fail") return error("it went wrong");
	const answer = await answerTo(call);
	if (typeof answer === "number") return answer;
	const text = fault === "truncate" ? answer.slice(0, 20) : answer;
	process.stdout.write(text);
	return 0;
}

async function answerTo(call: Call): Promise<string | number> {
	const [first = "", second = ""] = call.positionals;
	const flag = (name: string) => call.flags.get(name)?.[0];
	switch (call.verb.words) {
		case "team": {
			const members = all<Agent>("agents").map((a) => ({
				...a,
				inbox_total: 0,
				tmux_state: hasSession(a.tmux_session) ? "alive" : "dead",
			}));
			const wanted = first.replace(/^@/, "");
			const own = members.filter((m) => wanted === "" || m.agent_id === wanted);
			const reserved = { agent_id: "daemon", role: "system", reserved: true };
			return `a human line first\n${json({ team: { members: [...own, reserved] }, hints: [] })}`;
		}
		case "whoami":
			return me === ""
				? error("no agent identity")
				: json({ agent_id: `@${me}`, role: "worker", module: me });
		case "worktree create":
			return worktreeCreate(first, flag("-b") ?? `feature/${first}`);
		case "worktree teardown":
			return worktreeTeardown(first, call.flags.has("--delete-branch"));
		case "tmux create": {
			const cwd = flag("--cwd") ?? "";
			if (hasSession(first)) return error(`session ${first} already exists`);
			const size = ["-x", "120", "-y", "40"];
			tmux("new-session", "-d", "-s", first, "-c", cwd, ...size, "cat");
			const agent: Agent = {
				agent_id: flag("--name") ?? "",
				role: flag("--role") ?? "",
				module: flag("--module") ?? "",
				runtime: flag("--runtime") ?? "claude",
				worktree: cwd,
				tmux_session: first,
			};
			put("agents", agent.agent_id, agent);
			return json({ session: first });
		}
		case "tmux launch":
			return hasSession(first)
				? json({ session: first, runtime: flag("--runtime") ?? "claude" })
				: error(`session ${first} not found`);
		case "tmux restart":
			return json({ session: first, snapshot_lines: 12 });
		case "tmux kill":
			if (!hasSession(first)) return error(`session ${first} not found`);
			tmux("kill-session", "-t", `=${first}`);
			return "";
		case "tmux status":
			return json({
				sessions: all<Agent>("agents")
					.filter((a) => hasSession(a.tmux_session))
					.map((a) => ({
						name: a.tmux_session,
						agent: a.agent_id,
						state: "alive",
					})),
			});
		case "tmux capture":
			return capture(first, flag("--format") === "json");
		case "tmux send":
			return send(first, second, flag("--keys"));
		case "send":
			return post(flag("--to") ?? "", await Bun.stdin.text());
		case "reply": {
			const message = get<{ agent_id: string }>("messages", first);
			if (message === null) return error(`message ${first} not found`);
			return post(message.agent_id, await Bun.stdin.text(), first);
		}
		case "inbox":
			return inbox(call.flags.has("--unread"));
		case "sent":
			return json({
				messages: all<Stored>("messages")
					.filter((m) => m.agent_id === me)
					.filter((m) => !call.flags.has("--unread") || !m.is_read)
					.map((m) => ({
						...m,
						recipients: [
							{ agent_id: m.to, ...(m.is_read ? { read_at: "now" } : {}) },
						],
					})),
			});
		case "detect": {
			const text = readFileSync(flag("--pane-file") ?? "", "utf8");
			const found = detectPermission(flag("--runtime") ?? "", text);
			return found === null ? 1 : `${found.id}\n`;
		}
		default:
			return monitorsAndState(call, first, flag);
	}
}

function monitorsAndState(
	call: Call,
	first: string,
	flag: (name: string) => string | undefined,
): string | number {
	const stored = get<object>("monitors", first);
	switch (call.verb.words) {
		case "monitor start": {
			const name = flag("--name") ?? "";
			if (get("monitors", name) !== null)
				return error("monitor name already in use");
			const id = `mon_${"0".repeat(25)}${all("monitors").length}`;
			const env = (call.flags.get("--env") ?? []).map((pair) => [
				pair.split("=", 1)[0],
				"<redacted>",
			]);
			put("monitors", name, {
				id,
				name,
				argv: call.rest,
				match: flag("--match"),
				target: flag("--to"),
				cwd: flag("--cwd"),
				status: "running",
				schedule: flag("--schedule"),
				env: Object.fromEntries(env),
				created_at: "2026-01-01T00:00:00Z",
				updated_at: "",
			});
			return `started ${name} (${id})\n`;
		}
		case "monitor list":
			return json({
				result: all<{ status: string }>("monitors").filter(
					(m) => call.flags.has("--all") || m.status !== "stopped",
				),
				hints: ["…"],
			});
		case "monitor show":
			return stored === null
				? error(`monitor ${first} not found`)
				: json(stored);
		case "monitor stop":
			if (stored === null) return error(`monitor ${first} not found`);
			put("monitors", first, { ...stored, status: "stopped" });
			return "";
		case "monitor delete":
			if (stored === null) return error(`monitor ${first} not found`);
			rmSync(join(dir, "monitors", first));
			return "";
		case "state show": {
			const value = get("state", first);
			return value === null ? error("not found") : json({ entry: { value } });
		}
		default: {
			const kind = `${flag("--kind")}:`;
			const scopes = names("state").filter((n) => n.startsWith(kind));
			return json({
				entries: scopes.map((n) => ({ scope: n.slice(kind.length) })),
			});
		}
	}
}

interface Stored {
	readonly message_id: string;
	readonly agent_id: string;
	readonly to: string;
	readonly is_read: boolean;
}

function post(to: string, body: string, replyTo?: string): string | number {
	const name = to.replace(/^@/, "");
	if (!name.startsWith("user:") && get("agents", name) === null)
		return error(`unknown recipient: @${name}`);
	const id = `msg_${String(all("messages").length).padStart(26, "0")}`;
	put("messages", id, {
		message_id: id,
		agent_id: me,
		to: name,
		body: { content: body },
		created_at: "2026-01-01T00:00:00Z",
		is_read: false,
		reply_to: replyTo,
	});
	return json({ message_id: id, resolved_to: `@${name}` });
}

function inbox(unread: boolean): string {
	const own = all<Stored>("messages").filter((m) => m.to === me);
	const shown = own.filter((m) => !unread || !m.is_read);
	if (!unread)
		for (const m of shown)
			put("messages", m.message_id, { ...m, is_read: true });
	return unread && shown.length === 0 ? "" : json({ messages: shown });
}

function capture(agent: string, asJson: boolean): string | number {
	const session = get<Agent>("agents", agent)?.tmux_session;
	if (session === undefined || !hasSession(session))
		return error(`agent ${agent} not found`);
	const text = tmux("capture-pane", "-p", "-J", "-t", `=${session}:`);
	return asJson
		? json({ agent, ok: true, lines: text.split("\n"), footer: null })
		: text;
}

function send(
	agent: string,
	text: string,
	keys: string | undefined,
): string | number {
	const session = get<Agent>("agents", agent)?.tmux_session;
	if (session === undefined) return error(`agent ${agent} not found`);
	const target = `=${session}:`;
	if (keys !== undefined) {
		for (const key of keys.split(",")) tmux("send-keys", "-t", target, key);
		return "";
	}
	tmux("send-keys", "-t", target, "-l", text.replace(/;$/, "\\;"));
	tmux("send-keys", "-t", target, "Enter");
	return "";
}

function worktreeCreate(name: string, branch: string): string | number {
	const path = join(dir, "worktrees", name);
	if (existsSync(path))
		return `✓ Worktree reused\n${json({ worktree_path: path, branch })}`;
	const known = git("rev-parse", "--verify", "--quiet", `refs/heads/${branch}`);
	const words = known.exitCode === 0 ? [path, branch] : ["-b", branch, path];
	const added = git("worktree", "add", ...words);
	if (added.exitCode !== 0) return error(added.stderr.toString());
	return `✓ Worktree created\n${json({ worktree_path: path, branch })}`;
}

function worktreeTeardown(name: string, deleteBranch: boolean): string {
	git("worktree", "remove", "--force", join(dir, "worktrees", name));
	if (deleteBranch) git("branch", "-D", `feature/${name}`);
	rmSync(join(dir, "agents", name), { force: true });
	return "";
}

function help(words: string): number {
	const text = HELP[words];
	const lacks = (faults().lacks ?? "").split(" ").filter((w) => w !== "");
	if (text === undefined || lacks.includes(words.split(" ")[0] ?? ""))
		return error(`unknown command "${words}"`);
	const shown = lacks.reduce((t, flag) => t.replaceAll(flag, ""), text);
	process.stdout.write(shown);
	return 0;
}

function faults(): Faults {
	const path = join(dir, "faults.json");
	return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

function git(...words: readonly string[]) {
	return Bun.spawnSync(["git", ...words], { env: process.env });
}

function tmux(...words: readonly string[]): string {
	return Bun.spawnSync(["tmux", "-u", ...words], {
		env: process.env,
	}).stdout.toString();
}

function hasSession(name: string): boolean {
	return tmux("list-sessions", "-F", "#{session_name}")
		.split("\n")
		.includes(name);
}

function put(kind: string, name: string, value: unknown): void {
	mkdirSync(join(dir, kind), { recursive: true });
	const path = join(dir, kind, name);
	writeFileSync(`${path}.tmp`, JSON.stringify(value));
	renameSync(`${path}.tmp`, path);
}

function get<T>(kind: string, name: string): T | null {
	const path = join(dir, kind, name);
	return name !== "" && existsSync(path)
		? JSON.parse(readFileSync(path, "utf8"))
		: null;
}

function names(kind: string): readonly string[] {
	const path = join(dir, kind);
	return existsSync(path) ? readdirSync(path).sort() : [];
}

function all<T>(kind: string): readonly T[] {
	return names(kind).flatMap((name) => get<T>(kind, name) ?? []);
}

function json(value: unknown): string {
	return `${JSON.stringify(value, null, 2)}\n`;
}

function error(text: string): number {
	process.stderr.write(`Error: ${text}\n`);
	return 1;
}
