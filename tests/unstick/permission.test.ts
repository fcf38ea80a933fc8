import { describe, expect, test } from "bun:test";
import { REFUSED as TMUX_REFUSED } from "../fakes/tmux.ts";
import { schedulerPort } from "../watcher/watcher-rig.ts";
import { type Dialog, fakeClaude, RULE } from "./fake-claude.ts";
import { STATE, unstickRig } from "./rig.ts";

const CURL: Dialog = { kind: "permission", command: "curl https://x.org" };

describe("a permission prompt", () => {
	test("is answered with the one-time yes, by one Enter", async () => {
		const { pass, doors, log } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: CURL });
		expect(await pass()).toBe(0);
		expect(claude.answered).toEqual(["Yes"]);
		expect(claude.keys).toEqual(["Enter"]);
		expect(log()[0]).toMatch(
			/^window=w1 case=A action=sent-Enter fp=\w{12} audit=/,
		);
	});

	test("that was answered is no longer told as blocked: the idle rows are made anew at once", async () => {
		const { port, asked } = schedulerPort();
		const { pass, doors } = unstickRig({ scheduler: port });
		const claude = fakeClaude(doors, "w1");
		await pass();
		expect(asked).toEqual([]);
		claude.set({ dialog: CURL });
		await pass();
		expect(asked).toEqual(["fire idle_section"]);
	});

	test("that stays gets a second Enter, and no third", async () => {
		const { pass, doors, log } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: CURL, answers: false });
		for (let i = 0; i < 5; i++) await pass();
		expect(claude.keys).toEqual(["Enter", "Enter"]);
		expect(log().map((line) => /action=(\S+)/.exec(line)?.[1])).toEqual([
			"sent-Enter",
			"sent-Enter-retry",
			"skip-backoff",
		]);
	});

	test("whose key tmux refuses is tried again, and no try counts", async () => {
		const { pass, doors, log } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: CURL });
		const heal = doors.tmux.fail(
			(call) => call.op === "run" && call.cmd.kind === "send-keys",
			TMUX_REFUSED,
		);
		for (let i = 0; i < 3; i++) await pass();
		heal();
		await pass();
		expect(claude.answered).toEqual(["Yes"]);
		expect(log().map((line) => /action=(\S+)/.exec(line)?.[1])).toEqual([
			...Array(3).fill("send-keys-failed"),
			"sent-Enter",
		]);
	});

	test("that is another one by the look before the key gets none", async () => {
		const { pass, doors, log } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: CURL });
		let looks = 0;
		doors.tmux.before((call) => {
			if (call.op !== "capture" || ++looks < 2) return;
			claude.set({ dialog: { ...CURL, command: "curl https://y.org" } });
		});
		await pass();
		expect(claude.keys).toEqual([]);
		expect(log().at(-1)).toMatch(
			/case=A action=no-key fp=\w{12} reason=changed/,
		);
	});

	test("whose try cannot be counted on disk gets no key", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: CURL });
		doors.files.faults.fail({
			path: /permission\.(fp|tries)/,
			ops: ["write"],
			code: "ENOSPC",
		});
		await pass();
		expect(claude.keys).toEqual([]);
	});

	test("after prompt is answered, however many a window has", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		for (const command of ["a", "b", "c", "d"]) {
			claude.set({ dialog: { ...CURL, command } });
			await pass();
			await pass();
		}
		expect(claude.answered).toEqual(["Yes", "Yes", "Yes", "Yes"]);
	});

	test("after prompt is answered, also when no pass sees the window without one", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		for (const command of ["a", "b", "c", "d"]) {
			claude.set({ dialog: { ...CURL, command } });
			await pass();
		}
		expect(claude.answered).toEqual(["Yes", "Yes", "Yes", "Yes"]);
	});

	test("is answered on the orchestrator too, where no ledger is kept", async () => {
		const { pass, doors } = unstickRig();
		const [worker, orchestrator] = ["w1", "orchestrator"].map((name) => {
			const claude = fakeClaude(doors, name);
			claude.set({ dialog: CURL });
			return claude;
		});
		await pass();
		expect(worker?.answered).toEqual(["Yes"]);
		expect(orchestrator?.answered).toEqual(["Yes"]);
		const rows = doors.files.text(`${STATE}/machine-input.tsv`);
		expect(rows).toMatch(/^w1\t\d+\tunstick-permission\n$/);
	});

	test.each<[string, Partial<Extract<Dialog, { kind: "permission" }>>]>([
		["for a file", { question: "Do you want to create a.txt?" }],
		[
			"for a fetch, without a key footer",
			{
				question: "Do you want to allow Claude to fetch this content?",
				footer: "",
			},
		],
		["without numbers", { isNumbered: false }],
		[
			"for a file, its top out of sight",
			{ question: "Do you want to create a.txt?", isCut: true },
		],
		["that deletes below the work tree", { command: "rm -rf build" }],
		[
			"that deletes a temporary folder",
			{ command: "rm -rf /tmp/x /w/proj/dist" },
		],
	])("%s gets its Enter", async (_what, more) => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: { ...CURL, ...more } });
		await pass();
		expect(claude.answered).toEqual(["Yes"]);
	});

	test.each<[string, Partial<Extract<Dialog, { kind: "permission" }>>]>([
		["with a standing grant highlighted", { selected: 1 }],
		["with No highlighted", { selected: 2 }],
		[
			"whose yes changes the mode",
			{ options: ["Yes, and switch to auto mode", "No"] },
		],
		[
			"that is being amended",
			{ options: ["Yes, and tell Claude what to do next", "No"] },
		],
		[
			"whose command quotes a prompt, with another row highlighted",
			{
				command: "cat <<E\nDo you want to proceed?\n❯ 1. Yes\n  2. No\nE",
				selected: 1,
			},
		],
	])("%s gets no key, and is logged once", async (_what, more) => {
		const { pass, doors, log } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: { ...CURL, ...more } });
		for (let i = 0; i < 3; i++) await pass();
		expect(claude.keys).toEqual([]);
		expect(log()).toHaveLength(1);
		expect(log()[0]).toContain("action=other-highlighted");
	});
});

describe("what the watcher must not answer gets no key and becomes a decision", () => {
	const REFUSED: readonly (readonly [
		string,
		Partial<Extract<Dialog, { kind: "permission" }>>,
		RegExp,
		string,
	])[] = [
		[
			"Claude Code's own warning",
			{
				command:
					'Dangerous rm operation on possibly-empty variable path: "$M/x"',
			},
			/warns of it/,
			"danger",
		],
		[
			"a force-push",
			{ command: "git push --force origin main" },
			/@force-push/,
			"veto",
		],
		[
			"a force-push in a pipe of commands",
			{ command: "cd /w/proj && git -C . push -f" },
			/@force-push/,
			"veto",
		],
		[
			"a deletion outside the work tree",
			{ command: "rm -rf ../other" },
			/@recursive-delete/,
			"veto",
		],
		["a publication", { command: "npm publish" }, /@package-publish/, "veto"],
		[
			"a disk tool",
			{ command: "sudo mkfs.ext4 /dev/sdb1" },
			/@disk-tools/,
			"veto",
		],
		[
			"a credential file",
			{ command: "cat ~/.ssh/id_ed25519" },
			/@credential-files/,
			"veto",
		],
		[
			"a credential file that only the question names",
			{ command: "  1 SECRET=x", question: "Do you want to create .env?" },
			/@credential-files/,
			"veto",
		],
		[
			"a veto that the pane broke over two rows",
			{ command: "git push\n--force origin main" },
			/@force-push/,
			"veto",
		],
		[
			"a command whose top is out of sight",
			{ isCut: true },
			/not wholly in sight/,
			"not-shown",
		],
	];

	test.each(REFUSED)("%s", async (_what, more, words, verdict) => {
		const { pass, doors, names, json, log } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: { ...CURL, ...more } });
		for (let i = 0; i < 3; i++) await pass();
		expect(claude.keys).toEqual([]);
		const [name = ""] = names("decisions");
		expect(names("decisions")).toHaveLength(1);
		expect(name).toMatch(/^w1\.[0-9a-f]{12}\.json$/);
		const record = json(`decisions/${name}`);
		expect(record).toMatchObject({
			window: "w1",
			session_id: "",
			kind: "permission_prompt",
			source: "watcher-unstick-case-A",
			verdict,
		});
		expect(record.prompt_excerpt).toMatch(words);
		expect(record.prompt_excerpt).toContain("1. Yes");
		expect(record.tool_context).toContain(
			claude.dialog === null ? "?" : "Do you want to",
		);
		expect(
			log().filter((line) => line.includes("action=refused")),
		).toHaveLength(1);
	});

	test("every prompt, when prompts are to be handed on", async () => {
		const config = { "monitor.watcher.on_permission": "relay" } as const;
		const { pass, doors, names } = unstickRig({ config });
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: CURL });
		await pass();
		expect(claude.keys).toEqual([]);
		expect(names("decisions")).toHaveLength(1);
	});

	test("also with a row highlighted that no Enter of ours would take", async () => {
		const { pass, doors, names } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ dialog: { ...CURL, command: "npm publish", selected: 1 } });
		await pass();
		expect(names("decisions")).toHaveLength(1);
	});

	test("nothing is vetoed by an empty list, and a pattern of the operator's counts", async () => {
		for (const [veto, keys] of [
			[[], ["Enter"]],
			[["npm +pub\\w+"], []],
		] as const) {
			const config = { "monitor.watcher.permission_veto": veto };
			const { pass, doors } = unstickRig({ config });
			const claude = fakeClaude(doors, "w1");
			claude.set({ dialog: { ...CURL, command: "npm publish" } });
			await pass();
			expect(claude.keys).toEqual([...keys]);
		}
	});

	test("one that was handled stays silent while it is up, and is told again when it comes back", async () => {
		const { pass, doors, names, log } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		const dialog = { ...CURL, command: "npm publish" };
		claude.set({ dialog });
		await pass();
		const [name = ""] = names("decisions");
		const record = `${STATE}/decisions/${name}`;
		const tombstone = record.replace(/\.json$/, ".handled.json");
		doors.files.rename(record, tombstone);
		await pass();
		expect(names("decisions")).toEqual([
			name.replace(".json", ".handled.json"),
		]);
		claude.set({ dialog: null });
		for (let i = 0; i < 11; i++) await pass();
		claude.set({ dialog });
		await pass();
		expect(names("decisions")).toEqual([name]);
		expect(log().some((line) => line.includes("episode=recurred"))).toBe(true);
		expect(log().some((line) => line.includes("tombstone-retired"))).toBe(true);
	});
});

describe("text that only looks like a prompt", () => {
	const QUOTE = [
		"● The prompt looked like this:",
		"",
		RULE,
		"  rm -rf /",
		"",
		" Do you want to proceed?",
		" ❯ 1. Yes",
		"   2. No",
		"",
		" Esc to cancel · Tab to amend",
		"",
	];
	test("gets no key and makes no decision, with a box below it", async () => {
		const { pass, doors, names } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ transcript: QUOTE });
		for (let i = 0; i < 3; i++) await pass();
		expect(claude.keys).toEqual([]);
		expect(names("decisions")).toEqual([]);
	});

	test("does not use up the tries of the prompts that follow", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "w1");
		claude.set({ transcript: QUOTE });
		for (let i = 0; i < 4; i++) {
			claude.set({ dialog: { kind: "permission", command: `run ${i}` } });
			await pass();
			await pass();
		}
		expect(claude.answered).toEqual(["Yes", "Yes", "Yes", "Yes"]);
	});

	test("gets no key in a pane without a claude", async () => {
		const { pass, doors, names } = unstickRig();
		const { pane } = doors.tmux.window("sh", QUOTE.join("\n"));
		doors.proc.add({ pid: pane.pid ?? 0, comm: "bash", exe: "/bin/bash" });
		await pass();
		expect(pane.keys).toEqual([]);
		expect(names("decisions")).toEqual([]);
	});

	test("the window that WATCHER_WINDOW names is not looked at", async () => {
		const { pass, doors } = unstickRig({ env: { WATCHER_WINDOW: "own" } });
		const claude = fakeClaude(doors, "own");
		claude.set({ dialog: CURL });
		await pass();
		expect(claude.keys).toEqual([]);
	});
});
