// usage: node run_template.mjs KIND FILE RUN_FOLDER [skip=STEP]... [NAME=VALUE]...
//
// Runs the shell code of a CI template in the working directory as its system would: KIND action (NAME=VALUE are its
// inputs), workflow (FORK=VALUE is the repository of a pull request), gitlab, azure, jenkins (NAME=VALUE replace
// variables at the top of the file). A step gets everything that the system provides: files for outputs and summaries,
// variables, the shell's options; steps without shell code are printed as `not run`. RUN_FOLDER gets `log`,
// `outputs.json` and `summary.md`. The exit status is that of the first step that failed.
import {spawnSync} from 'node:child_process';
import {appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import process from 'node:process';

const require = createRequire(`${process.env.NODE_PATH}/`);
const [kind, file, folder, ...words] = process.argv.slice(2);
const given = {}, skipped = new Set();
for (const word of words) {
  const [name, value] = [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)];
  if (name === 'skip') skipped.add(value);
  else given[name] = value;
}
mkdirSync(folder, {recursive: true});
const log = join(folder, 'log'), summary = join(folder, 'summary.md');
writeFileSync(log, '');
writeFileSync(summary, '');
let failure = 0, number = 0;

function shell(name, script, {interpreter = ['sh', '-e'], env = {}, cwd = '.'}) {
  const path = resolve(folder, `step-${++number}.sh`);
  writeFileSync(path, script);
  const run = spawnSync(interpreter[0], [...interpreter.slice(1), path],
    {cwd, env: {...process.env, ...env}, encoding: 'utf8', maxBuffer: 1 << 28});
  const status = run.status ?? 128;
  appendFileSync(log, `== ${name}\n${run.stdout}${run.stderr}${run.error ?? ''}`);
  console.log(`${name}: status ${status}`);
  failure ||= status;
  return status;
}

// ---- GitHub ----

// ${{ a.b.c }} with dotted names, !, &&, || and ==.
function evaluate(expression, context) {
  const names = expression.replace(/cancelled\(\)/g, 'false').replace(/always\(\)/g, 'true')
    .replace(/success\(\)/g, String(!failure)).replace(/failure\(\)/g, String(Boolean(failure)))
    .replace(/'[^']*'|[a-z_][\w-]*(\.[\w-]+)+/gi, (word) => word[0] === "'" ? JSON.stringify(word.slice(1, -1)) :
      JSON.stringify(word.split('.').reduce((value, key) => value?.[key], context) ?? ''));
  return Function(`return (${names})`)();
}

function filled(text, context) {
  return String(text).replace(/\$\{\{(.*?)\}\}/gs, (_, expression) => String(evaluate(expression.trim(), context)));
}

function filledAll(map, context) {
  return Object.fromEntries(Object.entries(map ?? {}).map(([key, value]) => [key, filled(value, context)]));
}

function outputsOf(path) {
  const outputs = {};
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const at = line.indexOf('=');
    if (at < 1) throw new Error(`no output: ${line}`);
    outputs[line.slice(0, at)] = line.slice(at + 1);
  }
  return outputs;
}

function wanted(step, context) {
  const condition = step.if === undefined ? 'success()' : String(step.if).replace(/^\$\{\{(.*)\}\}$/s, '$1').trim();
  return Boolean(evaluate(/(cancelled|always|success|failure)\(\)/.test(condition) ? condition :
    `success() && (${condition})`, context));
}

function githubSteps(steps, context, env = {}) {
  for (const step of steps) {
    const name = step.name ?? step.id ?? step.uses;
    if (skipped.has(name)) continue;
    if (!wanted(step, context)) {
      console.log(`${name}: left out`);
    } else if (step.uses?.startsWith('./')) {
      const outputs = composite(join(step.uses, 'action.yml'), filledAll(step.with, context));
      context.steps[step.id] = {outputs};
    } else if (step.uses) {
      console.log(`${name}: not run: ${step.uses} ${JSON.stringify(filledAll(step.with, context))}`);
    } else {
      const output = resolve(folder, `output-${number + 1}`);
      writeFileSync(output, '');
      const interpreters = {sh: ['sh', '-e'], bash: ['bash', '--noprofile', '--norc', '-eo', 'pipefail']};
      shell(name, filled(step.run, context), {
        interpreter: interpreters[step.shell ?? 'sh'], cwd: filled(step['working-directory'] ?? '.', context),
        env: {...env, ...filledAll(step.env, context), GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: resolve(summary)},
      });
      if (step.id) context.steps[step.id] = {outputs: outputsOf(output)};
    }
  }
}

function composite(path, inputs) {
  const action = require('yaml').parse(readFileSync(path, 'utf8'));
  const unknown = Object.keys(inputs).filter((name) => !(name in action.inputs));
  if (unknown.length) throw new Error(`no inputs of the action: ${unknown}`);
  const all = Object.fromEntries(Object.entries(action.inputs).map(([name, {default: value}]) => [name, value ?? '']));
  const context = {inputs: {...all, ...inputs}, steps: {}, github: {action_path: '/path/of/the/host'}};
  githubSteps(action.runs.steps, context, {GITHUB_ACTION_PATH: resolve(dirname(path))});
  return Object.fromEntries(Object.entries(action.outputs).map(([name, {value}]) => [name, filled(value, context)]));
}

function workflow(text) {
  const github = {repository: 'a/b', token: 'token', event: {pull_request: {number: 7, head: {repo: {full_name: given.FORK ?? 'a/b'}}}}};
  const context = {steps: {}, github};
  for (const job of Object.values(require('yaml').parse(text).jobs)) githubSteps(job.steps, context);
  return context.steps.warplint?.outputs ?? {};
}

// ---- the others ----

function gitlab(text) {
  const document = require('yaml').parse(text);
  const jobs = Object.entries(document).filter(([, job]) => job?.script);
  for (const [name, job] of jobs) {
    if (skipped.has(name)) continue;
    const status = shell(name, [].concat(job.script).join('\n'),
      {interpreter: ['bash', '-eo', 'pipefail'], env: {...document.variables, ...given}});
    for (const path of [job.artifacts.paths, Object.values(job.artifacts.reports ?? {})].flat())
      if (!existsSync(path)) console.log(`${name}: no artifact ${path}`);
    if (status) break;
  }
}

function azure(text) {
  const document = require('yaml').parse(text);
  for (const step of document.steps) {
    const name = step.displayName ?? step.task ?? `publish ${step.publish}`;
    if (skipped.has(name)) continue;
    if (step.script && !failure) {
      shell(name, step.script, {interpreter: ['bash', '--noprofile', '--norc'], env: {...document.variables, ...given}});
    } else if (!step.script) {
      console.log(`${name}: not run`);
      const path = step.publish ?? step.inputs?.testResultsFiles;
      if (path && !existsSync(path)) console.log(`${name}: no ${path}`);
    }
  }
}

function jenkins(text) {
  const environment = Object.fromEntries([...text.matchAll(/^\s+([A-Z_]+) = '([^']*)'/gm)].map((m) => [m[1], m[2]]));
  for (const stage of text.matchAll(/stage\('([^']+)'\).*?sh '''\n(.*?)'''/gs)) {
    if (skipped.has(stage[1]) || failure) continue;
    // Groovy removes a backslash before a line end from the string, together with the line end.
    shell(stage[1], stage[2].replace(/\\\n/g, ''), {interpreter: ['sh', '-xe'], env: {...environment, ...given}});
  }
  for (const path of text.matchAll(/'(warplint-reports\/[^'*]+)'/g))
    if (!existsSync(path[1])) console.log(`no ${path[1]}`);
}

const text = readFileSync(file, 'utf8');
const kinds = {workflow, gitlab, azure, jenkins, action: () => composite(file, given)};
const outputs = kinds[kind](text);
writeFileSync(join(folder, 'outputs.json'), `${JSON.stringify(outputs ?? {}, null, 1)}\n`);
process.exitCode = failure;
