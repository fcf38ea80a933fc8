/** Attachments of comments (contract 05 §12). */
import { afterEach, describe, expect, test } from "bun:test";
import {
	fetchedName,
	isAttachment,
} from "../../monitor/_ng/fetch-asset/name.ts";
import { type HubRig, hubRig, S } from "./hub-rig.ts";

const PAT = "gho_operatorsOwn123";
const open: HubRig[] = [];
function rigOf(): HubRig {
	const rig = hubRig();
	open.push(rig);
	rig.standIn.place.state.userTokens[PAT] = "op";
	rig.doors.proc.answer("gh", `${PAT}\n`);
	return rig;
}
afterEach(async () => {
	for (const rig of open.splice(0)) {
		// A token at the storage would be one.
		expect(rig.standIn.problems).toEqual([]);
		await rig.close();
	}
});
const attach = (rig: HubRig, name = "assets/1f2e", type = "image/png") =>
	rig.standIn.acts.attach(name, type, Buffer.from([0x89, 0, 0xff]));

describe("fetch-asset", () => {
	test("brings the bytes, and says where and of what kind", async () => {
		const rig = rigOf();
		const ran = await rig.ng("fetch-asset", attach(rig));
		expect(ran).toEqual({
			rc: 0,
			out: `path=${S}/assets/1f2e.bin\ncontent_type=image/png\nbytes=3`,
			err: "",
		});
		const read = rig.doors.files.readBytes(`${S}/assets/1f2e.bin`, 9);
		expect(read.kind === "ok" && [...read.bytes]).toEqual([0x89, 0, 0xff]);
	});

	test("--out names the file", async () => {
		const rig = rigOf();
		const ran = await rig.ng("fetch-asset", attach(rig), "--out", "x.png");
		expect(ran.out).toContain("path=/n/somewhere/x.png\n");
	});

	test("--image-only keeps nothing else", async () => {
		const rig = rigOf();
		const url = attach(rig, "files/7/a.pdf", "application/pdf");
		expect((await rig.ng("fetch-asset", url, "--image-only")).rc).toBe(4);
		expect(rig.doors.files.paths(`${S}/assets`)).toEqual([]);
		expect((await rig.ng("fetch-asset", url)).out).toContain(
			`path=${S}/assets/a.pdf\n`,
		);
	});

	test("gh is asked for the operator's login, not for the bot's token in the environment", async () => {
		const rig = rigOf();
		Object.assign(rig.doors.proc.env, {
			GH_TOKEN: "ghs_bot",
			GITHUB_TOKEN: "ghs_bot",
			NEXUS_OPERATOR_GH_CONFIG_DIR: "/op/gh",
		});
		await rig.ng("fetch-asset", attach(rig));
		const gh = rig.doors.proc.execs.find(({ argv }) => argv[0] === "gh");
		expect(gh?.opts.env).toMatchObject({ GH_CONFIG_DIR: "/op/gh" });
		expect(JSON.stringify(gh)).not.toContain("ghs_bot");
		expect(JSON.stringify(rig.doors.proc.execs)).not.toContain(PAT);
	});

	test("without a login: exit 2, and how to get one", async () => {
		const rig = rigOf();
		rig.doors.proc.answer("gh", 1);
		const ran = await rig.ng("fetch-asset", attach(rig));
		expect(ran.rc).toBe(2);
		expect(ran.err).toContain("gh auth login");
	});

	test("not found: exit 3, and to stop trying", async () => {
		const rig = rigOf();
		const ran = await rig.ng(
			"fetch-asset",
			`${rig.standIn.url}/user-attachments/assets/none`,
		);
		expect(ran.rc).toBe(3);
		expect(ran.err).toContain("do not try again");
	});

	for (const url of [
		"https://github.com/user-attachments/assets/1",
		"http://127.0.0.1:1/user-attachments/assets/1",
		"SITE/other/assets/1",
		"SITE/user-attachments/assets/",
		"SITE/user-attachments/../assets/x",
		"not a url",
		"",
	])
		test(`'${url}' is none of its own: exit 1, the token goes nowhere`, async () => {
			const rig = rigOf();
			const ran = await rig.ng(
				"fetch-asset",
				url.replace("SITE", rig.standIn.url),
			);
			expect(ran.rc).toBe(1);
			expect(rig.doors.proc.execs).toEqual([]);
		});

	test.each([
		["https://h/user-attachments/assets/1f", "https://s/1f.PNG?x", "1f.png"],
		[
			"https://h/user-attachments/assets/1f",
			"https://s/1f?response-content-type=image%2Fjpeg",
			"1f.jpg",
		],
		["https://h/user-attachments/assets/1f", "https://s/1f", "1f.bin"],
		["https://h/user-attachments/files/1/a.pdf?y", "https://s/q.pdf", "a.pdf"],
		[
			"https://h/user-attachments/files/1/..%2F..%2Fx",
			"https://s/q",
			"_%2F..%2Fx.bin".replaceAll("%", "_"),
		],
	])("%s from %s is kept as %s", (url, location, name) => {
		expect(fetchedName(url, location)).toBe(name);
	});

	test("credentials in the address make it another one", () => {
		expect(
			isAttachment(
				"https://u@github.com/user-attachments/assets/1",
				"https://github.com",
			),
		).toBe(false);
	});
});
