// Writes the types of the service's OpenAPI document: node types.mjs openapi.json terminal49.d.ts
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const [source, target] = process.argv.slice(2);
const openapi = JSON.parse(readFileSync(source, "utf8"));
openapi.components.schemas.user ??= { type: "object" }; // the document refers to it and lacks it
writeFileSync(target, astToString(await openapiTS(openapi)));
