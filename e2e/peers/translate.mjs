// Reads a recording and writes down what a person would write who has it before them and knows the tools: the address to
// begin at, then an action for each step, its target by role and exact name, the place among its equals where the recorded
// page has several, and the frame that it is in. Nothing is added that the recording does not show, and nothing that
// makes a tool slower or weaker.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const line = /^( *)(?:@(e\d+) )?([\w-]+)(?: ("(?:[^"\\]|\\.)*"))?/;

// nodes parses the page text of a state: {depth, ref, role, name, value, frames, and of a frame its place among its siblings}, in its order.
function nodes(text) {
  const out = [], above = [];
  for (const raw of text.replace(/^# bsk-observation[\s\S]*?\n---\n/, '').split('\n')) {
    const m = line.exec(raw);
    if (!m || raw.startsWith('@') || raw.startsWith('L')) continue;
    const depth = m[1].length / 2;
    while (above.length && above.at(-1).depth >= depth) above.pop();
    const name = m[4] ? JSON.parse(m[4]) : '';
    const shown = raw.slice(m[0].length).replace(/ ⟵ step [\s\S]*$/, '');
    const value = / ="((?:[^"\\]|\\.)*)"/.exec(shown);
    const node = { depth, ref: m[2], role: m[3], name, value: value ? JSON.parse(`"${value[1]}"`) : undefined,
      frames: above.filter((a) => a.role === 'Iframe') };
    if (node.role === 'Iframe') node.place = out.filter((n) => n.role === 'Iframe' && n.frames.at(-1) === node.frames.at(-1)).length;
    out.push(node);
    above.push(node);
  }
  return out;
}

// bare is a recorded name without the state that the recorder puts at its end.
const bare = (name) => name.replace(/ ?\[(?:expanded|has-submenu)\]$/, '');

export function translate(path, { base, secrets = {} }) {
  const bundle = existsSync(join(path, 'trace.json'));
  const trace = JSON.parse(readFileSync(bundle ? join(path, 'trace.json') : path, 'utf8'));
  const states = new Map();
  for (const s of trace.states || trace.pages || []) {
    const text = s.body ?? (s.page ? readFileSync(join(path, 'states', s.page), 'utf8') : '');
    states.set(s.id, { url: s.url, nodes: nodes(text), view: /@view (\d+)x(\d+)/.exec(text) });
  }
  const origin = new URL(trace.entry.start_url).origin;
  const here = (url) => (url && base && url.startsWith(origin) ? base.replace(/\/$/, '') + url.slice(origin.length) : url);
  const stateOf = (id) => states.get(id) || { nodes: [] };

  const target = (step) => {
    const t = step.target;
    if (!t) return null;
    const own = stateOf(step.state).nodes;
    const at = t.ref ? own.find((n) => n.ref === t.ref) : null;
    const name = bare(t.name || t.nearby_label || t.placeholder || '');
    const out = { role: t.role || '', name, unmatched: !!t.unmatched, frames: at ? at.frames.map((f) => ({ name: f.name, place: f.place })) : [] };
    if (at) {
      const equals = own.filter((n) => n.role === at.role && n.name === at.name && n.frames.at(-1) === at.frames.at(-1));
      if (equals.length > 1) out.nth = equals.indexOf(at);
    }
    return out;
  };

  const actions = [];
  const steps = trace.steps;
  for (const [i, step] of steps.entries()) {
    if (again(step, steps[i + 1])) continue;
    const before = stateOf(step.state), after = stateOf(step.result?.state);
    const a = { id: step.id, op: step.op, target: target(step) };
    if (before.url && after.url && new URL(before.url).pathname !== new URL(after.url).pathname) a.leads = here(after.url);
    switch (step.op) {
      case 'navigate':
        if (['link', 'form_submit', 'script'].includes(step.cause)) continue; // comes by itself
        a.url = here(step.to);
        a.cause = step.cause;
        break;
      case 'fill': {
        a.value = step.redacted ? secrets[bare(step.target.name)] ?? secrets[step.id] ?? '' : step.value;
        const next = steps[i + 1];
        if (next?.op === 'fill' && JSON.stringify(next.target) === JSON.stringify(step.target)) continue; // the last value counts
        a.enter = step.commit === 'enter' && !(next?.op === 'press' && next.key === 'Enter');
        if (step.commit === 'suggestion') {
          const now = after.nodes.find((n) => n.role === at(before, step)?.role && n.name === step.target.name);
          a.choose = now?.value && now.value !== step.value ? now.value : undefined;
        }
        break;
      }
      case 'select':
        a.choices = step.selection || [secrets[bare(step.target.name)] ?? secrets[step.id]].filter(Boolean).map((value) => ({ value }));
        break;
      case 'press':
        a.key = step.key;
        a.modifiers = step.modifiers || [];
        break;
      case 'switch_tab':
        a.url = here(after.url);
        break;
      case 'scroll':
        continue;
    }
    actions.push(a);
  }
  const view = [...states.values()].map((s) => s.view).find(Boolean);
  return { start: here(trace.entry.start_url), width: view ? +view[1] : 1280, height: view ? +view[2] : 720, actions };
}

// again reports whether a click on a label is followed by the click on its control that the browser made of it.
const again = (a, b) => a.op === 'click' && b?.op === 'click' && a.target?.name && a.target.name === b.target?.name && a.target.role !== b.target.role &&
  ['checkbox', 'radio', 'switch'].includes(b.target.role);

function at(state, step) {
  return state.nodes.find((n) => n.ref && n.ref === step.target?.ref);
}

// options reads the command line: --key value pairs after the path of the recording.
export function options(argv) {
  const [path, ...rest] = argv;
  const out = { path, timeout: '5000', linger: '0' };
  for (let i = 0; i < rest.length; i += 2) out[rest[i].replace(/^--/, '')] = rest[i + 1];
  out.secrets = out.secrets ? JSON.parse(readFileSync(out.secrets, 'utf8')) : {};
  return out;
}

// Clock keeps when things happened, in milliseconds since 1970 with fractions.
export class Clock {
  steps = [];
  now = () => performance.timeOrigin + performance.now();
  launched = this.now();
  async step(action, f) {
    const began = this.now();
    await f();
    this.steps.push({ id: action.id, op: action.op, began, ended: this.now() });
  }
}
