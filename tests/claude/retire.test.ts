/** `retire-preflight` on the panes of real workers. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptOf } from "../support/model-server.ts";
import { waitUntil } from "../support/wait-until.ts";
import {
	openWorkerFleet,
	type Worker,
	type WorkerFleet,
} from "../support/worker-fleet.ts";

let fleet: WorkerFleet;
beforeAll(() => {
	fleet = openWorkerFleet();
	fleet.model.play(
		scriptOf(
			[
				{
					when: "never stop",
					replies: [{ kind: "hang", text: "On it.\n\nSo" }],
				},
			],
			"Done.",
		),
	);
});
afterAll(() => fleet.close());

const LIMIT = 120_000;

async function worker(window: string, task: string): Promise<Worker> {
	const path = join(fleet.root, `${window}.md`);
	writeFileSync(path, task);
	await fleet.spawn("-n", window, "-c", fleet.folder(window), "-p", path);
	return fleet.worker(window);
}
const preflight = (...argv: string[]) => fleet.run("retirePreflight", argv);
const TURN_END = (window: string) => () =>
	fleet.state(`heartbeat/${window}.json`).includes('"idle_prompt"');

test(
	"a worker at rest may go; with a draft in its box, or when it is gone, the answer follows",
	async () => {
		const { waitForAnswer } = await worker("rest", "say it");
		await waitForAnswer("Done.");
		await waitUntil("the turn's end", TURN_END("rest"));
		const idle = await preflight("rest");
		expect(idle).toMatchObject({ rc: 0, err: "" });
		expect(idle.out).toMatch(/^safe=1 window=rest pane=idle reason=.*\n$/);

		fleet.tmux.run("send-keys", "-t", "fleet:rest", "-l", "not yet sent");
		const typing = await waitUntil("the draft to be seen", async () => {
			const ran = await preflight("rest");
			return ran.rc === 1 ? ran : null;
		});
		expect(typing.out).toContain(
			"pane=user-typing input_text=not%20yet%20sent ",
		);
		expect(typing.err).toContain("in the input box: not yet sent");

		fleet.tmux.run("respawn-pane", "-k", "-t", "fleet:rest", "true");
		const gone = await waitUntil("its end to be seen", async () => {
			const ran = await preflight("rest");
			return ran.rc === 0 ? ran : null;
		});
		expect(gone.out).toStartWith("safe=1 window=rest pane=absent reason=");
		fleet.tmux.run("kill-window", "-t", "fleet:rest");
		expect(await preflight("rest")).toMatchObject({ rc: 3, out: "" });
	},
	LIMIT,
);

test(
	"a worker in the middle of its turn may not go",
	async () => {
		const busy = await worker("busy", "never stop");
		await waitUntil("the turn", () => busy.screen().includes("On it."));
		const ran = await preflight("busy");
		expect(ran.rc).toBe(1);
		expect(ran.out).toBe(
			"safe=0 window=busy pane=busy reason=pane is active: busy\n",
		);
	},
	LIMIT,
);

test(
	"ng retire-window ends a worker at rest and leaves nothing of it but the log",
	async () => {
		const done = await worker("leave", "say it");
		await done.waitForAnswer("Done.");
		await waitUntil("the turn's end", TURN_END("leave"));
		const ran = await fleet.ng("retire-window", "leave", "--reason", "test");
		expect(ran.rc, ran.err).toBe(0);
		expect(ran.out).toBe(
			"retire-window: window=leave killed=1 leftovers=0 unmanifested=0\n",
		);
		expect(fleet.tmux.run("list-windows", "-a")).not.toContain("leave");
		expect(fleet.state("action-log.jsonl")).toContain(
			`"event":"window-close","window":"leave","reason":"test","workdir":"${fleet.folder("leave")}","session-id":"${done.sessionId}"`,
		);
		const again = await fleet.spawn("--resume", "leave", "--dry-run");
		expect(again.out).toContain(`session=${done.sessionId} `);
	},
	LIMIT,
);
