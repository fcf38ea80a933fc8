/** GitHub's published GraphQL schema, built when the first query comes. */
import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLSchema } from "graphql";

let built: GraphQLSchema | null = null;

export function gitHubSchema(): GraphQLSchema {
	if (built !== null) return built;
	const home = import.meta.resolve("@octokit/graphql-schema");
	const text = readFileSync(new URL("schema.graphql", home), "utf8");
	built = buildSchema(text, { assumeValid: true });
	return built;
}
