/** What others say of times, services and events: taken for what it is, or for nothing. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { deliveryToBlock } from "../../monitor/_github/delivery-payload.ts";
import {
	judgePage,
	readSearchPage,
} from "../../monitor/_github/search-page.ts";
import { parseBlocks, renderBlocks } from "../../monitor/_state/emit-blocks.ts";
import { resetInstant } from "../../monitor/_state/reset-token.ts";
import { resetToken, resetWords } from "../../monitor/_state/reset-words.ts";
import { parseRegistry } from "../../monitor/_state/services-registry.ts";
import { jsonObjectOf, NASTY_WORDS, nastyText } from "./nasty.ts";

const HORIZON = 8 * 86_400;

describe("the reset of a usage limit", () => {
	const zone = fc.constantFrom(
		...[
			"Europe/Berlin",
			"America/New_York",
			"Australia/Lord_Howe",
			"Asia/Kathmandu",
		],
		...[
			"Pacific/Chatham",
			"Africa/Casablanca",
			"America/St_Johns",
			"Pacific/Kiritimati",
		],
		...[
			"Etc/GMT+12",
			"Etc/GMT-14",
			"UTC",
			"Europe/Dublin",
			"America/Sao_Paulo",
		],
	);
	const instant = fc
		.integer({ min: 28_333_334, max: 32_500_000 })
		.map((m) => m * 60);
	const part = (
		at: number,
		timeZone: string,
		options: Intl.DateTimeFormatOptions,
	) =>
		new Intl.DateTimeFormat("en-US", { timeZone, ...options }).format(
			at * 1000,
		);
	const clockOf = (at: number, z: string) =>
		part(at, z, { hour: "numeric", minute: "2-digit" })
			.replace(/\s/g, "")
			.toLowerCase();
	const dayOf = (at: number, z: string) =>
		part(at, z, { month: "short", day: "numeric" });
	/** As versions of Claude Code have written it. */
	const FORMS: readonly ((at: number, z: string) => string)[] = [
		(at, z) =>
			`You've hit your limit · resets ${dayOf(at, z)} at ${clockOf(at, z)} (${z})`,
		(at, z) =>
			`You've hit your weekly limit · Resets ${dayOf(at, z)}, ${clockOf(at, z)} (${z})`,
		(at, z) =>
			`Your limit will reset at ${dayOf(at, z)}, ${clockOf(at, z)} (${z}).`,
		(at) => `Claude AI usage limit reached|${at}`,
	];

	test("that has a date is that instant, in every zone and over every change of its clocks", () => {
		fc.assert(
			fc.property(
				instant,
				zone,
				fc.integer({ min: 1, max: HORIZON / 60 - 120 }),
				fc.constantFrom(...FORMS),
				(now, z, minutes, form) => {
					const at = now + minutes * 60;
					const token = resetToken(resetWords(form(at, z)) ?? "");
					const reset = resetInstant(token, now, "UTC");
					if (reset.kind !== "known")
						throw new Error(`not understood: ${token}`);
					// An hour that the clocks go through twice cannot be told apart: the first counts.
					const twice = form(at, z) === form(reset.at, z);
					expect(
						reset.at === at ||
							(twice && at - reset.at > 0 && at - reset.at <= 3600),
					).toBe(true);
				},
			),
			{ numRuns: 600 },
		);
	});

	test("that has only a time is the next one", () => {
		fc.assert(
			fc.property(
				instant,
				zone,
				fc.integer({ min: 1, max: 1380 }),
				(now, z, minutes) => {
					const at = now + minutes * 60;
					const reset = resetInstant(
						resetToken(`${clockOf(at, z)} (${z})`),
						now,
						"UTC",
					);
					if (reset.kind !== "known") throw new Error("not understood");
					expect(reset.at).toBeGreaterThan(now);
					expect(
						Math.abs(reset.at - at) % 86_400 <= 7200 ||
							Math.abs(reset.at - at) % 86_400 >= 79_200,
					).toBe(true);
				},
			),
			{ numRuns: 300 },
		);
	});

	test("of whatever words is known and near, or a guess", () => {
		const word = fc.constantFrom(
			...[
				"resets",
				"reset at",
				"Jun",
				"February",
				"29",
				"31",
				"99",
				"2026",
				"9999",
				"at",
				",",
				"3am",
				"12:60pm",
			],
			...[
				"25:00",
				"noon",
				"midnight",
				"today",
				"tomorrow",
				"Sunday",
				"(Europe/Berlin)",
				"(Etc/GMT+99)",
				"(a/b)",
			],
			...[
				"(../../etc/passwd)",
				"(constructor)",
				"PST",
				"|1800000000",
				"1e10",
				"·",
				"/upgrade",
				...NASTY_WORDS,
			],
		);
		const text = fc.oneof(
			nastyText,
			fc.array(word, { maxLength: 9 }).map((w) => w.join(" ")),
		);
		fc.assert(
			fc.property(text, instant, zone, (words, now, z) => {
				for (const token of [words, resetToken(resetWords(words) ?? words)]) {
					const reset = resetInstant(token, now, z);
					if (reset.kind === "known")
						expect(Math.abs(reset.at - now)).toBeLessThanOrEqual(HORIZON);
					else expect(reset.guess).toBe(now + 21_600);
				}
				expect(resetToken(words).length).toBeLessThanOrEqual(64);
				expect(resetToken(words)).not.toMatch(/\s/);
			}),
			{ numRuns: 1500 },
		);
	});
});

test("a registry of any text costs only its bad rows, and no name of it is a path", () => {
	const column = fc.oneof(
		nastyText,
		fc.constantFrom(
			...[
				"api",
				"..",
				"a/b",
				"/etc",
				"~",
				"~/x",
				"$NEXUS_ROOT/x",
				"$NEXUS_ROOTX",
				"auto-restart",
				"emit-only",
				"watcher",
			],
		),
	);
	const row = fc
		.array(column, { maxLength: 8 })
		.map((columns) => columns.join("\t"));
	const GOOD = "good\t/srv/good\t./run\tcurl -f x";
	fc.assert(
		fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
			const text = [...rows, GOOD].join("\n");
			const found = parseRegistry(text, {
				root: "/r",
				home: "/h",
				defaultPolicy: "emit-only",
			});
			if (found.kind !== "rows") {
				expect(text).toContain("\0");
				return;
			}
			expect(found.rows.some((one) => one.name === "good")).toBe(true);
			for (const { name, workdir, logfile } of found.rows) {
				expect(name).not.toMatch(/[/\s\0]|\.\./);
				expect(workdir).toStartWith("/");
				expect(logfile).toStartWith("/");
			}
			for (const warning of found.warnings)
				expect(warning).not.toMatch(/[\0-\x08\x0a-\x1f\x7f-\x9f]/);
		}),
		{ numRuns: 800 },
	);
});

describe("what GitHub sends", () => {
	const FIELDS = [
		...[
			"action",
			"created",
			"opened",
			"submitted",
			"repository",
			"full_name",
			"acme/hub",
		],
		...[
			"issue",
			"comment",
			"pull_request",
			"review",
			"user",
			"login",
			"type",
			"Bot",
			"op",
		],
		...[
			"id",
			"number",
			"body",
			"path",
			"search",
			"nodes",
			"pageInfo",
			"hasNextPage",
		],
		...[
			"comments",
			"reviewThreads",
			"reactions",
			"author",
			"__typename",
			"fullDatabaseId",
		],
	];
	const RULES = {
		repo: "acme/hub",
		botLogin: "hub-bot",
		home: true,
		elsewhere: true,
	};
	const EVENTS = [
		"issue_comment",
		"issues",
		"pull_request",
		"pull_request_review",
		"pull_request_review_comment",
		"constructor",
		"",
	];
	/** Right in its form, with anything in its places. */
	const wellFormed = fc
		.tuple(
			fc.constantFrom("created", "opened", "submitted"),
			nastyText,
			nastyText,
			nastyText,
			nastyText,
		)
		.map(([action, login, body, path, repo]): unknown => {
			const text = { id: 7, number: 3, body, path, user: { login } };
			const full_name = repo.includes("x") ? repo : "acme/hub";
			return {
				action,
				issue: text,
				comment: text,
				pull_request: text,
				review: text,
				repository: { full_name },
			};
		});
	const payload = fc.oneof(
		jsonObjectOf(FIELDS).map((text): unknown => JSON.parse(text)),
		wellFormed,
	);

	test("is one block of one header and one body line, or nothing", () => {
		let told = 0;
		fc.assert(
			fc.property(fc.constantFrom(...EVENTS), payload, (event, body) => {
				const block = deliveryToBlock(event, body, RULES);
				if (block === null) return;
				told += 1;
				const text = renderBlocks([block]);
				expect(text.split("\n")).toHaveLength(3);
				const [again, ...more] = parseBlocks(text);
				expect(more).toEqual([]);
				// Nobody's words become the author, the id or the place.
				expect(again).toMatchObject({
					kind: "comment",
					id: block.what === "issue_new" ? "3" : "7",
					number: "3",
				});
				if (again?.kind === "comment")
					expect(again.author.toLowerCase() === "op").toBe(
						block.author.toLowerCase() === "op",
					);
			}),
			{ numRuns: 800 },
		);
		expect(told).toBeGreaterThan(50);
	});

	test("as a page of a search is whole, partial or no page", () => {
		const surface = fc.constantFrom(
			"issue_comments",
			"pr_comments",
			"new_issues",
			"mentions",
			"bot_mentions",
		);
		fc.assert(
			fc.property(
				payload,
				fc.array(payload, { maxLength: 3 }),
				surface,
				(data, nodes, where) => {
					for (const answer of [data, { search: { nodes, pageInfo: data } }]) {
						const page = readSearchPage(answer);
						if (page !== null)
							expect(["page", "partial"]).toContain(
								judgePage(page, where).kind,
							);
					}
				},
			),
			{ numRuns: 500 },
		);
	});
});
