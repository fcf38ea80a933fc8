/** GitHub's published description of its REST API: which operations there are, and what goes in and out. */
import { readFileSync } from "node:fs";
import Ajv, { type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

export interface Operation {
	/** `GET /repos/{owner}/{repo}`. */
	readonly route: string;
	readonly parameters: readonly Parameter[];
	/** Null: it takes no body. */
	readonly body: { readonly required: boolean; readonly schema: Schema } | null;
	/** Of its JSON answers, by status; null: an answer without a body. */
	readonly answers: ReadonlyMap<string, Schema | null>;
}
export interface Parameter {
	readonly name: string;
	readonly in: "path" | "query" | "header";
	readonly required: boolean;
	/** Of an object with the parameter as its `value`: a text is coerced only inside something. */
	readonly holder: Schema;
}
export type Schema = Readonly<Record<string, unknown>>;

/** Null: GitHub has no such operation. */
export function operation(route: string): Operation | null {
	const before = operations.get(route);
	if (before !== undefined) return before;
	const found = readOperation(route);
	operations.set(route, found);
	return found;
}

const operations = new Map<string, Operation | null>();

function readOperation(route: string): Operation | null {
	const [method = "", path = ""] = route.split(" ");
	const found = record(record(description().paths[path])[method.toLowerCase()]);
	if (Object.keys(found).length === 0) return null;
	const body = record(follow(found.requestBody));
	const bodySchema = jsonSchema(body);
	return {
		route,
		parameters: list(found.parameters).map((p) => parameter(record(follow(p)))),
		body:
			bodySchema === null
				? null
				: { required: body.required === true, schema: bodySchema },
		answers: new Map(
			Object.entries(record(found.responses)).map(([status, answer]) => [
				status,
				jsonSchema(record(follow(answer))),
			]),
		),
	};
}

/** The payload of a webhook: `issue-comment-created`. Null: GitHub sends no such event. */
export function webhookPayload(name: string): Schema | null {
	const post = record(record(description()["x-webhooks"][name]).post);
	return jsonSchema(record(post.requestBody));
}

/** What in `value` does not fit; empty when it fits. `coerce`: a query's digits count as a number. */
export function misfits(
	value: unknown,
	schema: Schema,
	coerce = false,
): readonly string[] {
	const check = compiled(schema, coerce);
	if (check(value)) return [];
	return (check.errors ?? []).map(
		(e) => `${e.instancePath || "(top)"} ${e.message ?? ""}`,
	);
}

interface Description {
	readonly paths: Readonly<Record<string, unknown>>;
	readonly "x-webhooks": Readonly<Record<string, unknown>>;
	readonly components: Readonly<
		Record<string, Readonly<Record<string, Schema>>>
	>;
}

let loaded: Description | null = null;

/** 13 MB, read once a process; one version of the ten that the package holds. */
function description(): Description {
	if (loaded !== null) return loaded;
	const home = import.meta.resolve("@octokit/openapi");
	const file = new URL("generated/api.github.com.json", home);
	const text = readFileSync(file, "utf8");
	loaded = JSON.parse(text) as Description;
	return loaded;
}

interface Validator {
	readonly ajv: Ajv;
	readonly compiled: Map<Schema, ValidateFunction>;
}
const strict = validator(false);
const coercing = validator(true);

function validator(coerce: boolean): Validator {
	const ajv = new Ajv({
		strict: false,
		validateFormats: true,
		coerceTypes: coerce ? "array" : false,
		allErrors: true,
		logger: false,
	});
	addFormats(ajv);
	// Its addresses are templates as often as not.
	ajv.addFormat("uri", true);
	ajv.addFormat("int64", true);
	return { ajv, compiled: new Map() };
}

function compiled(schema: Schema, coerce: boolean): ValidateFunction {
	const { ajv, compiled: done } = coerce ? coercing : strict;
	const check = done.get(schema) ?? ajv.compile(selfContained(schema));
	done.set(schema, check);
	return check;
}

/** The schema with the components that it leads to, and no others: the whole description takes seconds to compile. */
function selfContained(schema: Schema): Schema {
	const schemas: Record<string, unknown> = {};
	const visit = (node: unknown): void => {
		if (Array.isArray(node)) node.forEach(visit);
		if (typeof node !== "object" || node === null) return;
		const name = componentIn(Reflect.get(node, "$ref"));
		if (name !== null && !Object.hasOwn(schemas, name)) {
			const target = description().components.schemas?.[name];
			if (target === undefined) throw new Error(`no component ${name}`);
			schemas[name] = withNull(target);
			visit(target);
		}
		for (const value of Object.values(node)) visit(value);
	};
	visit(schema);
	return { ...record(withNull(schema)), components: { schemas } };
}

function componentIn(ref: unknown): string | null {
	if (typeof ref !== "string") return null;
	return /^#\/components\/schemas\/(.+)$/.exec(ref)?.[1] ?? null;
}

/** `nullable` of OpenAPI 3.0 in the words of JSON Schema; the validator knows it beside a plain type only. */
function withNull(node: unknown): unknown {
	if (Array.isArray(node)) return node.map(withNull);
	if (typeof node !== "object" || node === null) return node;
	const entries = Object.entries(node).filter(([key]) => key !== "nullable");
	const same = Object.fromEntries(
		entries.map(([key, value]) => [key, withNull(value)]),
	);
	return Reflect.get(node, "nullable") === true
		? { anyOf: [same, { type: "null" }] }
		: same;
}

function jsonSchema(holder: Schema): Schema | null {
	const content = record(record(holder.content)["application/json"]);
	return content.schema === undefined ? null : record(content.schema);
}

function parameter(raw: Schema): Parameter {
	return {
		name: String(raw.name),
		in: raw.in === "path" || raw.in === "header" ? raw.in : "query",
		required: raw.required === true,
		holder: { type: "object", properties: { value: record(raw.schema) } },
	};
}

/** `#/components/parameters/owner` */
function follow(value: unknown): unknown {
	const ref = record(value).$ref;
	if (typeof ref !== "string") return value;
	const [, , kind = "", name = ""] = ref.split("/");
	return description().components[kind]?.[name];
}

function record(value: unknown): Schema {
	return typeof value === "object" && value !== null && !Array.isArray(value)
		? (value as Schema)
		: {};
}

function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
