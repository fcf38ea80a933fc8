/** What GitHub refuses before it runs a query: connections without a bound, and more nodes than it will look at. */
import {
	type DocumentNode,
	type FieldNode,
	type GraphQLSchema,
	getNamedType,
	TypeInfo,
	visit,
	visitWithTypeInfo,
} from "graphql";

const MOST_NODES = 500_000;
const LARGEST_PAGE = 100;

/** The refusal as GitHub words it, or null. Fragments count where they are spread only if they are inline. */
export function refusalOf(
	schema: GraphQLSchema,
	document: DocumentNode,
	variables: Readonly<Record<string, unknown>>,
): { readonly type: string; readonly message: string } | null {
	const types = new TypeInfo(schema);
	const bounds: number[] = [];
	let total = 0;
	let refusal: { type: string; message: string } | null = null;
	visit(
		document,
		visitWithTypeInfo(types, {
			Field: {
				enter: (node) => {
					if (!isConnection(types)) return;
					const bound = boundOf(node, variables);
					const name = node.name.value;
					if (bound === null)
						refusal ??= {
							type: "MISSING_PAGINATION_BOUNDARIES",
							message: `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
						};
					else if (bound < 1 || bound > LARGEST_PAGE)
						refusal ??= {
							type: "EXCESSIVE_PAGINATION",
							message: `Requesting ${bound} records on the \`${name}\` connection exceeds the limit of ${LARGEST_PAGE} records.`,
						};
					bounds.push(bound ?? 1);
					total += bounds.reduce((a, b) => a * b, 1);
				},
				leave: () => {
					if (isConnection(types)) bounds.pop();
				},
			},
		}),
	);
	if (refusal !== null || total <= MOST_NODES) return refusal;
	return {
		type: "MAX_NODE_LIMIT_EXCEEDED",
		message: `This query requests up to ${total} possible nodes which exceeds the maximum limit of 500,000.`,
	};
}

function isConnection(types: TypeInfo): boolean {
	const type = types.getType();
	return type != null && /Connection$/.test(getNamedType(type).name);
}

function boundOf(
	node: FieldNode,
	variables: Readonly<Record<string, unknown>>,
): number | null {
	for (const { name, value } of node.arguments ?? []) {
		if (name.value !== "first" && name.value !== "last") continue;
		if (value.kind === "IntValue") return Number(value.value);
		if (value.kind === "Variable") {
			const given = variables[value.name.value];
			if (typeof given === "number") return given;
		}
	}
	return null;
}
