import { expect, test } from "bun:test";
import { REFUSED } from "../fakes/tmux.ts";
import { EMIT, makeRig, NO_PICTURE, TARGET } from "./rig.ts";

const OLD = "a text of ours, from before";
const PASTED_OLD = [{ text: OLD, pasted: true }];

/** The box holds OLD, and it is remembered as ours. */
function withLeftover() {
	const rig = makeRig();
	rig.seedLeftover(OLD);
	rig.repl.set({ box: PASTED_OLD });
	return rig;
}

test("a leftover is finished with one Enter, then the next text is delivered", async () => {
	const { deliver, doors, leftover, repl } = withLeftover();
	expect((await deliver()).outcome).toBe("submitted");
	expect(repl.sent).toEqual([OLD, EMIT]);
	expect(repl.enters).toBe(2);
	expect(leftover()).toBeNull();
	expect(doors.log.messages()).toContain(
		`paste window=${TARGET} leftover-submitted`,
	);
});

test("a dialog between paste and Enter leaves one; when it is gone, the next delivery finishes it", async () => {
	const { afterPaste, deliver, repl } = makeRig();
	let dialogs = 1;
	afterPaste(() => {
		if (dialogs-- > 0) repl.set({ overlay: "permission" });
	});
	expect((await deliver(OLD)).outcome).toBe("blocked-after-paste");
	repl.set({ overlay: null });
	expect((await deliver(EMIT)).outcome).toBe("submitted");
	expect(repl.sent).toEqual([OLD, EMIT]);
	expect(repl.wrongs).toEqual([]);
});

test("a leftover that is the very text to deliver gets its Enter and no second copy", async () => {
	const { deliver, repl } = withLeftover();
	expect((await deliver(OLD)).outcome).toBe("submitted");
	expect(repl.sent).toEqual([OLD]);
	expect(repl.window.pane.pastes).toEqual([]);
});

test("a leftover that a human typed on to is nobody's to send", async () => {
	const { deliver, keys, leftover, repl } = withLeftover();
	repl.humanTypes(", wait");
	expect((await deliver()).outcome).toBe("occupied-before-paste");
	expect(keys()).toEqual([]);
	expect(leftover()).toBe(OLD);
});

test("a leftover under a dialog or a menu is not touched", async () => {
	for (const over of [{ overlay: "askuq" }, { menu: "/status" }]) {
		const { deliver, keys, repl } = withLeftover();
		repl.set(over);
		expect((await deliver()).outcome).toBe("blocked-before-paste");
		expect(keys()).toEqual([]);
	}
});

test("a leftover whose Enter is ignored is not pressed again in the same call", async () => {
	const { deliver, repl } = withLeftover();
	repl.set({ holds: 99 });
	expect((await deliver()).outcome).toBe("occupied-before-paste");
	expect(repl.enters).toBe(1);
});

test("a leftover whose Enter tmux refuses is not pressed again in the same call", async () => {
	const { deliver, doors, leftover, repl } = withLeftover();
	doors.tmux.fail("run", REFUSED, 1);
	expect((await deliver()).outcome).toBe("occupied-before-paste");
	expect(repl.enters).toBe(0);
	expect(leftover()).toBe(OLD);
});

test("while a leftover is remembered, a box that is not seen is not pasted into", async () => {
	const { deliver, keys, leftover, repl } = withLeftover();
	repl.set({
		box: [],
		script: [{ state: "busy", input: null, composer: null }],
	});
	expect((await deliver()).outcome).toBe("unreadable-before-paste");
	repl.set({ script: [NO_PICTURE] });
	expect((await deliver()).outcome).toBe("unreadable-before-paste");
	expect(keys()).toEqual([]);
	expect(leftover()).toBe(OLD);
});

test("a box that is seen clear ends the memory", async () => {
	const { deliver, repl } = withLeftover();
	repl.set({ box: [] });
	expect((await deliver()).outcome).toBe("submitted");
	expect(repl.sent).toEqual([EMIT]);
});

test("a memory that cannot be renewed does not go on speaking of the text before", async () => {
	const { deliver, doors, leftover, repl } = withLeftover();
	repl.set({ box: [], holds: 99 });
	doors.files.faults.fail({
		path: /paste-leftover/,
		ops: ["write"],
		code: "ENOSPC",
	});
	expect((await deliver()).outcome).toBe("held");
	expect(leftover()).toBeNull();
});

test("a watcher that is killed between paste and Enter leaves what its successor needs", async () => {
	const { deliver, doors, repl } = makeRig();
	const survive = doors.tmux.after((call) => {
		if (call.op === "run" && call.cmd.kind === "paste-buffer")
			throw new Error("killed");
	});
	await expect(deliver(OLD)).rejects.toThrow("killed");
	survive();
	expect((await deliver(EMIT)).outcome).toBe("submitted");
	expect(repl.sent).toEqual([OLD, EMIT]);
});
