/** The same comment over several sources, and over a restart, is told once. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { REPO } from "../github/rig.ts";
import { type Night, OTHER, openNight } from "./night-rig.ts";

let night: Night;
beforeEach(() => {
	night = openNight();
});
afterEach(async () => {
	await night.close();
	expect(night.standIn.problems).toEqual([]);
});

const told = () => night.take().pasted.flat();

test.each([
	["at home", REPO],
	["elsewhere", OTHER],
])(
	"a comment %s that delivery log and search both bring",
	async (_name, repo) => {
		const { id } = night.say(repo, "@hub-bot please");
		await night.run("deliveries_poll");
		await night.run("github_poll");
		await night.run("comment_surface");
		expect(told()).toEqual([String(id)]);
		await night.run("github_poll");
		await night.run("comment_surface");
		await night.restart(0);
		await night.run("comment_surface");
		expect(told()).toEqual([]);
	},
);

test("one that the search brings first", async () => {
	const { id } = night.say(REPO, "please");
	await night.run("github_poll");
	await night.run("comment_surface");
	await night.run("deliveries_poll");
	await night.run("comment_surface");
	expect(told()).toEqual([String(id)]);
});

test("one that an answer ends is not told again, by neither of them", async () => {
	const { id } = night.say(REPO, "please");
	await night.run("deliveries_poll");
	await night.run("comment_surface");
	night.acknowledge(REPO, id);
	night.wait(700);
	await night.run("github_poll");
	await night.run("comment_surface");
	expect(told()).toEqual([String(id)]);
});

test("one without an answer comes again when its cooldown is over, and not before", async () => {
	const { id } = night.say(REPO, "please");
	await night.run("github_poll");
	for (const seconds of [0, 299, 1, 299, 1]) {
		night.wait(seconds);
		await night.run("comment_surface");
	}
	expect(told()).toEqual([id, id, id].map(String));
});

test("an edited one is told with its new text", async () => {
	const { id } = night.say(REPO, "please");
	await night.run("deliveries_poll");
	await night.run("comment_surface");
	night.acts.editComment(REPO, id, "op", "please, and soon");
	await night.run("github_poll");
	await night.run("comment_surface");
	expect(night.bodies().at(-1)).toContain("body: please, and soon");
});
