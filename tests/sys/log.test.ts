import { expect, test } from "bun:test";
import { prefixedLog, stampedLog } from "../../monitor/_sys/log.ts";
import { fakeClock } from "../fakes/clock.ts";

function written(say: (log: ReturnType<typeof stampedLog>) => void): string[] {
	const out: string[] = [];
	say(stampedLog(fakeClock(), (text) => out.push(text)));
	return out;
}

test("a line carries the time, a warning says so, and each message is one write", () => {
	const stamp = `[${fakeClock().iso()}]`;
	const out = written((log) => {
		log.info("up");
		log.warn("disk is full");
	});
	expect(out).toEqual([`${stamp} up\n`, `${stamp} WARN disk is full\n`]);
});

test("no line of a message of several stands without a stamp", () => {
	const stamp = `[${fakeClock().iso()}]`;
	const [text] = written((log) => log.info("Error: x\n    at a\n    at b\n"));
	expect(text).toBe(
		`${stamp} Error: x\n${stamp}     at a\n${stamp}     at b\n`,
	);
});

test("a face's lines carry its prefix", () => {
	const out: string[] = [];
	const log = prefixedLog("svc", (text) => out.push(text));
	log.info("started");
	log.warn("two\nlines");
	expect(out).toEqual(["[svc] started\n", "[svc] two\n[svc] lines\n"]);
});
