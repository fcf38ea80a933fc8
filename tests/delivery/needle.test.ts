import { expect, test } from "bun:test";
import { emitSignature, needleOf } from "../../monitor/_delivery/needle.ts";
import { EMIT, SIGNATURE } from "./rig.ts";

test.each([
	[
		"the longest run of printable ASCII",
		"short é a much longer run here é",
		"a much longer run here",
	],
	[
		"a line end and a TAB end a run",
		"a long piece\tshort\nend",
		"a long piece",
	],
	[
		"blanks at its ends are none of it",
		"é   twelve and more   é",
		"twelve and more",
	],
	["a run below 12 characters is none", "hello there", null],
	["a text without ASCII has none", "おはようございます、みなさん", null],
	["only `;`", ";", null],
])("%s", (_rule, payload, wanted) => {
	expect(needleOf(payload)).toBe(wanted);
});

test("a needle is cut to 200 characters", () => {
	expect(needleOf("x".repeat(30_000))).toBe("x".repeat(200));
});

test.each([
	["an emit's last line", EMIT, SIGNATURE],
	["a trailing newline does not hide it", `${EMIT}\n`, SIGNATURE],
	[
		"a signature that is quoted above the last line is none",
		`${EMIT}\nmore`,
		null,
	],
	[
		"a nonce has six hex characters",
		"--- nexus-emit-sig 2026 a1b2c3d ---",
		null,
	],
	["nor seven digits", "--- nexus-emit-sig 2026 1234565 ---", null],
	["a brief has none", "=== WATCHER ===\nhello", null],
])("signature: %s", (_rule, body, wanted) => {
	expect(emitSignature(body)).toBe(wanted);
});

test("a signature is cut at 100 characters", () => {
	const long = `--- nexus-emit-sig ${"9".repeat(120)} a1b2c3 ---`;
	expect(emitSignature(long)).toHaveLength(100);
});
