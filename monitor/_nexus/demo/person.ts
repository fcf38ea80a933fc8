/** A person at the demo's GitHub, with a login of his own: what he writes there, and what he sees. */

import { type Mark, readMarks } from "../../_github/eligibility.ts";
import { idAt, listAt, textAt } from "../../_github/json-look.ts";
import { withDeadline } from "../../_sys/deadline.ts";
import type { Doors } from "../../_sys/doors.ts";
import { done, failed, type Step } from "./stage.ts";
import { REPO } from "./world.ts";

export interface Said {
	readonly author: string;
	readonly body: string;
}
export interface Person {
	/** Gives its number. */
	openIssue(title: string): Promise<Step<string>>;
	/** Gives the comment's id. */
	comment(issue: string, body: string): Promise<Step<string>>;
	/** Null: they could not be read. */
	marksOn(comment: string): Promise<readonly Mark[] | null>;
	/** Null: they could not be read. */
	commentsOn(issue: string): Promise<readonly Said[] | null>;
	/** Bytes of a file of the repository, base64; null: it is not there. */
	file(path: string): Promise<string | null>;
}

const LIMIT_MS = 10_000;

/** Every call has a limit; no answer and a refusal read the same. */
export function personAt(
	{ clock, net }: Pick<Doors, "clock" | "net">,
	apiUrl: string,
	token: string,
): Person {
	/** Null: no answer, or none of those that mean success. */
	const ask = async (path: string, body?: object): Promise<unknown> => {
		const url = `${apiUrl}/repos/${REPO}/${path}`;
		const sent =
			body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
		const headers = {
			authorization: `Bearer ${token}`,
			accept: "application/vnd.github+json",
			"content-type": "application/json",
			"user-agent": "nexus-demo",
		};
		const got = await withDeadline(
			clock,
			LIMIT_MS,
			undefined,
			async (signal) => {
				const answer = await net.fetch(url, { ...sent, headers, signal });
				return answer.ok ? answer.json() : null;
			},
		);
		return got.kind === "ok" ? got.value : null;
	};
	const write = async (path: string, body: object, field: string) => {
		const made = idAt(await ask(path, body), field);
		return made === null ? failed(`GitHub: POST ${path} failed`) : done(made);
	};
	return {
		openIssue: (title) => write("issues", { title }, "number"),
		comment: (issue, body) => write(`issues/${issue}/comments`, { body }, "id"),
		marksOn: async (comment) =>
			readMarks(await ask(`issues/comments/${comment}/reactions`)),
		commentsOn: async (issue) =>
			listAt(await ask(`issues/${issue}/comments`))?.map((row) => ({
				author: textAt(row, "user", "login") ?? "",
				body: textAt(row, "body") ?? "",
			})) ?? null,
		file: async (path) =>
			textAt(await ask(`contents/${path}`), "content")?.replace(/\s/g, "") ??
			null,
	};
}
