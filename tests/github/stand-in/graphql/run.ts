/** `POST /graphql`: parsed, validated and run against GitHub's own schema. Errors come with status 200, as GitHub sends them. */
import { type DocumentNode, execute, parse, validate } from "graphql";
import type { Actor, Reply } from "../http.ts";
import { iso, type Place } from "../place.ts";
import { findIssue, findRepo } from "../world.ts";
import { connection, type PageArgs } from "./connection.ts";
import { refusalOf } from "./limits.ts";
import { issueNode, repositoryNode } from "./nodes.ts";
import { gitHubSchema } from "./schema.ts";
import { searchIssues } from "./search.ts";

export interface GraphqlReply extends Reply {
	/** The query is not one that GitHub's schema allows. */
	readonly misfits: readonly string[];
}

export async function runGraphql(
	place: Place,
	actor: Actor,
	body: Readonly<Record<string, unknown>>,
): Promise<GraphqlReply> {
	const { query } = body;
	const variables = objectIn(body.variables);
	if (typeof query !== "string")
		return invalid([
			"A query attribute must be specified and must be a string.",
		]);
	const schema = gitHubSchema();
	const { document, wrong } = read(query);
	if (document === null) return invalid(wrong);
	const refusal = refusalOf(schema, document, variables);
	if (refusal !== null)
		return {
			status: 200,
			body: { data: null, errors: [refusal] },
			misfits: [refusal.message],
		};
	const result = await execute({
		schema,
		document,
		rootValue: rootOf(place, actor),
		variableValues: variables,
	});
	return {
		status: 200,
		body: JSON.parse(JSON.stringify(result)),
		misfits: (result.errors ?? []).map((e) => e.message),
	};
}

interface Read {
	/** Null: it is none that the schema allows. */
	readonly document: DocumentNode | null;
	readonly wrong: readonly string[];
}

/** A client asks the same few questions again and again, and to hold one to the schema takes milliseconds. */
const READ = new Map<string, Read>();
const MOST_READ = 100;

function read(query: string): Read {
	const before = READ.get(query);
	if (before !== undefined) return before;
	if (READ.size >= MOST_READ) READ.clear();
	const now = readAnew(query);
	READ.set(query, now);
	return now;
}

function readAnew(query: string): Read {
	try {
		const document = parse(query);
		const wrong = validate(gitHubSchema(), document).map((e) => e.message);
		return { document: wrong.length > 0 ? null : document, wrong };
	} catch (error) {
		return { document: null, wrong: [String(error)] };
	}
}

function rootOf(place: Place, actor: Actor) {
	return {
		search: (
			args: PageArgs & { readonly query: string; readonly type: string },
		) => {
			if (args.type !== "ISSUE")
				throw new Error(`the stand-in does not search for ${args.type}`);
			const hits = searchIssues(place, actor, args.query);
			const found = connection(hits, args, (hit) =>
				issueNode(place, hit.repo, hit.issue),
			);
			return { ...found, issueCount: hits.length };
		},
		repository: ({ owner, name }: { owner: string; name: string }) => {
			const repo = findRepo(place.state, `${owner}/${name}`);
			if (repo === undefined) return null;
			const numbered = ({ number }: { number: number }) => {
				const issue = findIssue(repo, number);
				return issue === undefined ? null : issueNode(place, repo, issue);
			};
			return {
				...repositoryNode(place, repo),
				issue: numbered,
				pullRequest: numbered,
			};
		},
		rateLimit: () => ({
			cost: 1,
			limit: 5000,
			remaining: 4999,
			used: 1,
			nodeCount: 1,
			resetAt: iso(place.now() + 3600),
		}),
	};
}

function invalid(messages: readonly string[]): GraphqlReply {
	return {
		status: 200,
		body: { errors: messages.map((message) => ({ message })) },
		misfits: messages,
	};
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null
		? Object.fromEntries(Object.entries(value))
		: {};
}
