/** Holds requests and answers to GitHub's published description. */
import type { ApiRequest, Reply } from "./http.ts";
import { misfits, operation, type Schema } from "./openapi.ts";

/** What a client sent that GitHub does not describe; empty: nothing. */
export function requestMisfits(
	request: Pick<ApiRequest, "route" | "params" | "query" | "body">,
): readonly string[] {
	const { route, params, query, body } = request;
	const known = operation(route);
	if (known === null) return [`GitHub has no ${route}`];
	const at = (name: string) => known.parameters.find((p) => p.name === name);
	const unknown = [...query.keys()]
		.filter((name) => at(name)?.in !== "query")
		.map((name) => `query parameter ${name} is not described`);
	const values = known.parameters.flatMap((parameter) => {
		const given =
			parameter.in === "path"
				? params[parameter.name]
				: query.get(parameter.name);
		if (given === undefined || given === null || parameter.in === "header")
			return [];
		return misfits({ value: given }, parameter.holder, true).map(
			(why) => `${parameter.in} parameter ${parameter.name}: ${why}`,
		);
	});
	return [...unknown, ...values, ...bodyMisfits(known.body, body)];
}

/** What an answer of the stand-in lacks of what GitHub promises. */
export function replyMisfits(route: string, reply: Reply): readonly string[] {
	const known = operation(route);
	if (known === null) return [`GitHub has no ${route}`];
	const schema = known.answers.get(String(reply.status));
	if (schema === undefined)
		return reply.status < 400
			? [`${route} does not answer ${reply.status}`]
			: misfits(reply.body, ERROR);
	return schema === null ? [] : misfits(asNumbers(reply.body), schema);
}

function bodyMisfits(
	known: { readonly required: boolean; readonly schema: Schema } | null,
	body: ApiRequest["body"],
): readonly string[] {
	const given = Object.keys(body);
	if (known === null)
		return given.length === 0 ? [] : [`it takes no body, and got ${given}`];
	if (given.length === 0 && !known.required) return [];
	const described = Object.keys(propertiesOf(known.schema));
	const unknown =
		described.length === 0
			? []
			: given
					.filter((key) => !described.includes(key))
					.map((key) => `body key ${key} is not described`);
	return [
		...unknown,
		...misfits(body, known.schema).map((why) => `body: ${why}`),
	];
}

function propertiesOf(schema: Schema): Readonly<Record<string, unknown>> {
	const { properties } = schema;
	return typeof properties === "object" && properties !== null
		? { ...properties }
		: {};
}

const ERROR: Schema = {
	type: "object",
	required: ["message"],
	properties: { message: { type: "string" } },
};

/** The validator knows no bigint. */
function asNumbers(value: unknown): unknown {
	if (typeof value === "bigint") return Number(value);
	if (Array.isArray(value)) return value.map(asNumbers);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, asNumbers(inner)]),
	);
}
