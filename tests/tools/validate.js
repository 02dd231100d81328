// usage: node validate.js SCHEMA FILE...
//
// Checks JSON files against a JSON schema with ajv; a file *.rdjsonl contains one document per line. NODE_PATH is the
// folder of ajv (ci/tools). Prints the errors; status 1 if there are any.
'use strict';
const fs = require('fs');
const Ajv = require('ajv/dist/2020');

const read = (path) => fs.readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
const ajv = new Ajv({strict: false, unicodeRegExp: false, validateFormats: false});
const [schema, ...files] = process.argv.slice(2);
const validate = ajv.compile(JSON.parse(read(schema)));
let wrong = files.length ? 0 : 1;

for (const file of files) {
  const documents = file.endsWith('.rdjsonl') ? read(file).split('\n').filter((line) => line) : [read(file)];
  for (const document of documents) {
    if (!validate(JSON.parse(document))) {
      console.log(`${file}: ${ajv.errorsText(validate.errors)}`);
      wrong = 1;
    }
  }
}
process.exitCode = wrong;
