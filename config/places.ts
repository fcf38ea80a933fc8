/** Where each key and value of a document stands. */
import {
	type Document,
	isAlias,
	isMap,
	isNode,
	isScalar,
	isSeq,
	type Pair,
	type YAMLMap,
} from "yaml";
import type { ConfigIssue, Position } from "./issues.ts";

/** Path of a value: keys of mappings, indexes of lists. */
export type ValuePath = readonly (string | number)[];

/** Looks a path up; what the document does not hold has the place of its nearest ancestor. */
export interface Places {
	readonly value: (path: ValuePath) => Position;
	readonly key: (path: ValuePath) => Position;
}

type At = (offset: number) => Position;
interface Place {
	readonly key: Position;
	readonly value: Position;
}

/** More nodes than any configuration has; aliases of aliases unfold to billions. */
const MAX_NODES = 10_000;

/** Walks the document once; finds, too, what would make it ambiguous or endless. */
export function locate(
	doc: Document,
	at: At,
): { readonly places: Places; readonly issues: readonly ConfigIssue[] } {
	const found = new Map<string, Place>();
	const issues: ConfigIssue[] = [];
	const open = new Set<unknown>();
	let nodes = 0;

	const complain = (path: ValuePath, where: Position, message: string) =>
		issues.push({ key: path.join("."), ...where, message });

	const visit = (node: unknown, path: ValuePath, merged = false): void => {
		nodes += 1;
		if (nodes === MAX_NODES)
			complain(
				[],
				startOf(node, at),
				`unfolds to more than ${MAX_NODES} values`,
			);
		if (nodes >= MAX_NODES) return;
		const target = isAlias(node) ? node.resolve(doc) : node;
		if (target === undefined && isAlias(node))
			complain(path, startOf(node, at), `no anchor named ${node.source}`);
		if (open.has(target)) {
			complain(path, startOf(node, at), "an alias refers to itself");
			return;
		}
		if (!isMap(target) && !isSeq(target)) return;
		open.add(target);
		if (isMap(target)) visitMap(target, path, merged);
		else
			for (const [index, item] of target.items.entries()) {
				const own = merged ? path : [...path, index];
				const value = startOf(item, at);
				if (!merged) found.set(id(own), { key: value, value });
				visit(item, own, merged);
			}
		open.delete(target);
	};

	const visitMap = (map: YAMLMap, path: ValuePath, merged: boolean): void => {
		const seen = new Set<string>();
		for (const pair of map.items) {
			if (isMap(pair.key) || isSeq(pair.key)) {
				const where = startOf(pair.key, at);
				complain(path, where, "a list or a mapping cannot be a key");
				continue;
			}
			const name = nameOf(pair);
			if (name === "<<") continue;
			const own = [...path, name];
			const key = startOf(pair.key, at);
			if (seen.has(name) && !merged) complain(own, key, "duplicate key");
			seen.add(name);
			// What is merged in never hides the mapping's own.
			if (merged && found.has(id(own))) continue;
			const value = isNode(pair.value) && pair.value.range;
			found.set(id(own), { key, value: value ? at(value[0]) : key });
			visit(pair.value, own);
		}
		for (const pair of map.items)
			if (isScalar(pair.key) && nameOf(pair) === "<<")
				visit(pair.value, path, true);
	};

	visit(doc.contents, []);
	return { places: placesOf(found), issues };
}

function placesOf(found: ReadonlyMap<string, Place>): Places {
	const look = (path: ValuePath, which: keyof Place): Position => {
		for (let length = path.length; length > 0; length--) {
			const place = found.get(id(path.slice(0, length)));
			if (place !== undefined)
				return length === path.length ? place[which] : place.value;
		}
		return { line: 1, col: 1 };
	};
	return {
		value: (path) => look(path, "value"),
		key: (path) => look(path, "key"),
	};
}

function id(path: ValuePath): string {
	return path.join("\u0000");
}

function nameOf(pair: Pair): string {
	if (!isScalar(pair.key)) return String(pair.key);
	const { value } = pair.key;
	// The parser reads an unquoted `<<` as a symbol.
	return typeof value === "symbol" ? "<<" : String(value ?? "");
}

function startOf(node: unknown, at: At): Position {
	return at(isNode(node) && node.range ? node.range[0] : 0);
}
