/** A prompt that the watcher hands on, in a worker whose own hook has told of it as well, is one decision. */
import { expect, test } from "bun:test";
import {
	decisionFingerprint,
	writeDecision,
} from "../../monitor/_state/decisions.ts";
import { fakeClaude } from "./fake-claude.ts";
import { STATE, unstickRig } from "./rig.ts";

const KIND = "permission_prompt";
const WORDS = "Claude needs your permission to use Bash";

/** A worker that stands before a vetoed prompt; `pending` names who tells of it. */
function vetoed() {
	const rig = unstickRig();
	const claude = fakeClaude(rig.doors, "w1");
	claude.set({ dialog: { kind: "permission", command: "npm publish" } });
	const hook = (window = "w1", kind = KIND) =>
		writeDecision(rig.doors.files, STATE, {
			ts: "2026-07-28T18:00:00Z",
			window,
			kind,
			sessionId: "s",
			promptExcerpt: WORDS,
			toolContext: "",
			fingerprint: decisionFingerprint(window, kind, WORDS),
		});
	const pending = () =>
		rig
			.names("decisions")
			.filter((name) => !name.endsWith(".handled.json"))
			.map((name) => rig.json(`decisions/${name}`))
			.filter((record) => record.resolved !== true)
			.map(
				({ window, kind, source = "hook" }) => `${window} ${kind} ${source}`,
			);
	return { ...rig, claude, hook, pending };
}
const WATCHERS = `w1 ${KIND} watcher-unstick-case-A`;

test("whichever of the two was first", async () => {
	for (const first of ["hook", "watcher"]) {
		const { pass, hook, pending } = vetoed();
		if (first === "hook") hook();
		await pass();
		if (first === "watcher") hook();
		await pass();
		expect(pending()).toEqual([WATCHERS]);
	}
});

test("once acknowledged it is not told again under the hook's name", async () => {
	const { pass, hook, pending, names, doors } = vetoed();
	await pass();
	const [name = ""] = names("decisions");
	const dir = `${STATE}/decisions`;
	doors.files.rename(
		`${dir}/${name}`,
		`${dir}/${name.replace(".json", ".handled.json")}`,
	);
	hook();
	await pass();
	expect(pending()).toEqual([]);
});

test("the hook's record of the next prompt, of another window and of another kind stay", async () => {
	const { pass, hook, pending, claude } = vetoed();
	hook();
	await pass();
	claude.set({ dialog: null });
	hook();
	hook("w2");
	hook("w1", "idle_prompt");
	await pass();
	expect(pending().sort()).toEqual(
		[
			WATCHERS,
			`w1 ${KIND} hook`,
			"w1 idle_prompt hook",
			`w2 ${KIND} hook`,
		].sort(),
	);
});
