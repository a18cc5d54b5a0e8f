// The form of a target, generated from the JSON Schema of its plan. The server validates it.
import { choiceCard, choiceSummary, chosenIds, createChoice } from './check-choice.js'
import { call, fill, pageData } from './kit.js'
import { html, render } from './lit-html/lit-html.js'
import { problemView } from './refusal.js'

const { plan, shape, checks, texts, isBusy, saved: names } = pageData()
const place = document.getElementById('target')

const view = {
  value: { plan },
  text: '',
  name: `my-${plan}`,
  isStrict: false,
  isConnecting: false,
  /** Members that were edited: only these show their problems, unless a file was opened. */
  touched: new Set(),
  isOpened: false,
  /** Of the text: while typing. */
  problems: [],
  /** Of the system, after the connection check; undefined before it. */
  found: undefined,
  failure: undefined,
  /** Names of saved targets, and the one that was opened. */
  saved: names,
  opened: '',
}

const choice = createChoice(checks)

/** A member without its value in the file is left out. */
function setAt(container, [name, ...rest], value) {
  if (rest.length > 0) {
    container[name] ??= typeof rest[0] === 'number' ? [] : {}
    return setAt(container[name], rest, value)
  }
  if (value === undefined || value === '') delete container[name]
  else container[name] = value
}

const memberOf = (path) => path.join('.')

let isValidating = false
/** What to validate next: the newest of what came while the server was busy. */
let waiting
async function validate(body = { plan, value: view.value }) {
  if (isValidating) {
    waiting = body
    return
  }
  isValidating = true
  try {
    const answer = await call('POST', '/console/target-checks', body)
    view.text = answer.text
    view.problems = answer.problems
    choice.person = new Set(answer.personChecks)
    if (body.text !== undefined) view.isOpened = true
    if (body.text !== undefined && answer.value && !waiting) view.value = answer.value
    view.failure = undefined
  } catch (problem) {
    view.failure = problem
  }
  isValidating = false
  show()
  if (waiting) {
    const newest = waiting
    waiting = undefined
    await validate(newest)
  }
}

let typing
function change(path, value) {
  setAt(view.value, path, value)
  view.touched.add(memberOf(path))
  view.found = undefined
  clearTimeout(typing)
  typing = setTimeout(validate, 300)
  show()
}

const problemsAt = (path) => {
  const member = memberOf(path)
  if (!view.isOpened && view.found === undefined && !view.touched.has(member)) return []
  return [...view.problems, ...(view.found ?? [])].filter((each) => each.member === member)
}

/** What to do about a problem. The form shows what a member is for, as the advice does at its end. */
const adviceOf = ({ advice }) => (advice ? html`<b>${advice.replace(/ \(.*\)$/, '.')}</b>` : '')

const explain = (problems, id) =>
  problems.length === 0
    ? ''
    : html`<p class="fault small" id="${id}-problem" lang="en">${problems.map(
        (problem) => html`${problem.message}. ${adviceOf(problem)} `,
      )}</p>`

const nameOf = (path, isRequired) =>
  html`<code>${path.at(-1)}</code>${
    isRequired ? '' : html` <span class="soft small">${texts.optional}</span>`
  }`

/** A label, an input, what it is for, and what is wrong with it. */
function labelled(path, schema, isRequired, input) {
  const id = `field-${memberOf(path)}`
  const problems = problemsAt(path)
  return html`<div class="field">
    <label for=${id}>${nameOf(path, isRequired)}</label>
    ${schema.description ? html`<p class="soft small" lang="en">${schema.description}</p>` : ''}
    ${input(id, problems.length > 0, problems.length > 0 ? `${id}-problem` : undefined)}
    ${explain(problems, id)}
  </div>`
}

/** In a file, a list has brackets; in the form it has none. */
const exampleOf = ({ example, type }) => {
  if (typeof example !== 'string') return ''
  return type === 'array' ? example.replace(/^\[|\]$/g, '') : example
}

function textField(path, schema, isRequired, { value, read = (text) => text, about }) {
  const shown = value === undefined ? '' : String(value)
  return labelled(
    path,
    { ...schema, description: [schema.description, about].filter(Boolean).join(' ') },
    isRequired,
    (
      id,
      isWrong,
      described,
    ) => html`<input id=${id} .value=${shown} placeholder=${exampleOf(schema)}
      aria-invalid=${String(isWrong)} aria-describedby=${described ?? ''} autocomplete="off"
      spellcheck="false" @input=${({ target }) => change(path, read(target.value))}>`,
  )
}

const readNumber = (text) =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

const readList = (items) => (text) => {
  const values = text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
  const isNumber = items?.type === 'integer' || items?.type === 'number'
  return values.length === 0
    ? undefined
    : values.map((each) => (isNumber ? readNumber(each) : each))
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Members that no simple field can show: bodies, headers, powers. */
function jsonField(path, schema, isRequired, value) {
  const shown = value === undefined ? '' : JSON.stringify(value)
  return labelled(
    path,
    { ...schema, description: [schema.description, texts.json].filter(Boolean).join(' ') },
    isRequired,
    (id, isWrong, described) => html`<textarea id=${id} rows="2" spellcheck="false"
      aria-invalid=${String(isWrong)} aria-describedby=${described ?? ''} .value=${shown}
      @change=${({ target }) => change(path, target.value === '' ? undefined : readJson(target.value))}
      ></textarea>`,
  )
}

function choiceField(path, schema, isRequired, value) {
  return labelled(
    path,
    schema,
    isRequired,
    (id, isWrong, described) => html`<select id=${id} aria-invalid=${String(isWrong)}
      aria-describedby=${described ?? ''} @change=${({ target }) => change(path, target.value)}>
      <option value="" ?selected=${value === undefined}>${texts.choose}</option>
      ${schema.enum.map((each) => html`<option ?selected=${each === value}>${each}</option>`)}
    </select>`,
  )
}

const isPlainObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fits(schema, value) {
  if (schema.type === 'object') {
    return (
      isPlainObject(value) &&
      Object.keys(value).every((name) => name in schema.properties) &&
      Object.entries(schema.properties).every(
        ([name, { const: fixed }]) =>
          fixed === undefined || value[name] === fixed || !(name in value),
      )
    )
  }
  return typeof value === schema.type
}

/** The value with which an alternative begins. */
function startOf(schema) {
  if (schema.type !== 'object') return schema.type === 'boolean' ? true : ' '
  const fixed = Object.entries(schema.properties).filter(([, each]) => each.const !== undefined)
  const [first] = schema.required ?? []
  const members = Object.fromEntries(fixed.map(([name, each]) => [name, each.const]))
  return Object.keys(members).length > 0 || first === undefined ? members : { [first]: {} }
}

const titleOf = (schema) =>
  Object.values(schema.properties ?? {}).find((each) => each.const !== undefined)?.const ??
  schema.description ??
  schema.required?.join(', ') ??
  schema.type

function unionField(path, schema, isRequired, value) {
  const alternatives = schema.anyOf ?? schema.oneOf
  const remembered = chosen.get(memberOf(path))
  const matching = alternatives.findIndex((each) => fits(each, value))
  const index = remembered ?? (value === undefined ? -1 : matching)
  const choose = ({ target }) => {
    const next = target.value === '' ? undefined : Number(target.value)
    if (next === undefined) chosen.delete(memberOf(path))
    else chosen.set(memberOf(path), next)
    const start = next === undefined ? undefined : startOf(alternatives[next])
    change(path, typeof start === 'object' ? keepFixed(start) : undefined)
  }
  return html`<fieldset class="member">
    ${labelled(
      path,
      schema,
      isRequired,
      (id) => html`<select id=${id} aria-label="${path.at(-1)}: ${texts.kind}" @change=${choose}>
        <option value="" ?selected=${index < 0}>${texts.choose}</option>
        ${alternatives.map(
          (each, at) =>
            html`<option value=${at} ?selected=${at === index}>${titleOf(each)}</option>`,
        )}</select>`,
    )}
    ${index < 0 ? '' : html`<div class="inner">${inner(path, alternatives[index], value)}</div>`}
  </fieldset>`
}

/** The alternatives that a person has chosen, by member: an empty one fits several. */
const chosen = new Map()
const keepFixed = (start) =>
  Object.fromEntries(Object.entries(start).filter(([, value]) => !isPlainObject(value)))

const inner = (path, schema, value) =>
  schema.type === 'object' && schema.properties
    ? members(path, schema, isPlainObject(value) ? value : {})
    : textField(path, { ...schema, description: '' }, true, { value })

function objectField(path, schema, isRequired, value) {
  const isShown = isRequired || value !== undefined
  const toggle = () => change(path, isShown ? undefined : {})
  const name = path.at(-1)
  return html`<fieldset class="member"><legend>${nameOf(path, isRequired)}</legend>
    ${schema.description ? html`<p class="soft small" lang="en">${schema.description}</p>` : ''}
    ${explain(problemsAt(path), `field-${memberOf(path)}`)}
    ${
      isRequired
        ? ''
        : html`<button type="button" class="button small" aria-label="${isShown ? texts.remove : texts.add}: ${name}"
          @click=${toggle}>${isShown ? texts.remove : texts.add}</button>`
    }
    ${isShown ? html`<div class="inner">${members(path, schema, value ?? {})}</div>` : ''}
  </fieldset>`
}

function field(path, schema, isRequired, value) {
  const { type, items } = schema
  if (schema.const !== undefined && schema.const !== true) return ''
  if (schema.enum) return choiceField(path, schema, isRequired, value)
  if (schema.anyOf ?? schema.oneOf) return unionField(path, schema, isRequired, value)
  if (type === 'boolean') {
    return choiceField(path, { ...schema, enum: ['true'] }, isRequired, value && 'true')
  }
  if (type === 'object' && schema.properties) return objectField(path, schema, isRequired, value)
  const isList = type === 'array' && items && !items.properties
  if (isList) {
    const shown = Array.isArray(value) ? value.join(', ') : value
    return textField(path, schema, isRequired, {
      value: shown,
      read: readList(items),
      about: texts.list,
    })
  }
  if (type === 'string') return textField(path, schema, isRequired, { value })
  if (type === 'number' || type === 'integer') {
    return textField(path, schema, isRequired, { value, read: readNumber })
  }
  return jsonField(path, schema, isRequired, value)
}

const members = (path, { properties, required = [] }, value) =>
  Object.entries(properties)
    .sort(([one], [other]) => required.includes(other) - required.includes(one))
    .map(([name, schema]) =>
      // A default makes a member optional in a file.
      field(
        [...path, name],
        schema,
        required.includes(name) && !('default' in schema),
        value[name],
      ),
    )

async function attempt(work) {
  view.failure = undefined
  try {
    await work()
  } catch (problem) {
    view.failure = problem
  }
  view.isConnecting = false
  show()
}

const bodyOf = () => ({ plan, name: view.name, text: view.text })

const connect = () =>
  attempt(async () => {
    view.isConnecting = true
    show()
    view.found = (await call('POST', '/console/preflights', bodyOf())).problems
  })

const run = () =>
  attempt(async () => {
    const chosen = chosenIds(choice)
    const body = { ...bodyOf(), strict: view.isStrict, ...(chosen && { checks: chosen }) }
    location.assign((await call('POST', '/console/target-runs', body)).location)
  })

const openSaved = ({ target }) =>
  attempt(async () => {
    view.opened = target.value
    if (view.opened === '') return
    const { text } = await call('GET', `/console/targets/${target.value}`)
    view.name = target.value
    await validate({ plan, text })
  })

function removeSaved() {
  const name = view.opened
  if (!confirm(fill(texts.confirmRemove, { name }))) return
  attempt(async () => {
    await call('DELETE', `/console/targets/${name}`)
    view.saved = view.saved.filter((each) => each !== name)
    view.opened = ''
  })
}

const openFile = ({ target }) =>
  attempt(async () => {
    const [file] = target.files
    if (file) await validate({ plan, text: await file.text() })
  })

function download() {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([view.text], { type: 'application/yaml' }))
  link.download = `${view.name}.yaml`
  link.click()
  URL.revokeObjectURL(link.href)
}

const problemList = (problems) =>
  html`<ul class="problems">${problems.map(
    (problem) => html`<li lang="en">
    ${problem.message.startsWith(problem.member) ? '' : html`<code>${problem.member}</code> `}${problem.message}.
    ${adviceOf(problem)}</li>`,
  )}</ul>`

function verdict() {
  const problems = [...view.problems, ...(view.found ?? [])]
  if (problems.length > 0) {
    const isNew = !view.isOpened && view.touched.size === 0
    return html`<div class=${isNew ? 'soft' : 'alert'}>
      <p><b>${isNew ? texts.missing : texts.problems}: ${problems.length}</b></p>
      ${problemList(problems)}</div>`
  }
  return html`<p class="done">${view.found ? texts.ready : texts.valid}</p>`
}

function show() {
  const isValid = view.problems.length === 0 && view.text !== ''
  const isDoubtful = view.found?.length > 0
  render(
    html`<div class="columns target">
      <section class="card" aria-labelledby="members"><h2 id="members">${texts.file}</h2>
        <div class="row opening">
          ${
            view.saved.length === 0
              ? ''
              : html`<label>${texts.load}<select id="saved" @change=${openSaved}>
                <option value="" ?selected=${view.opened === ''}>${texts.choose}</option>
                ${view.saved.map((name) => html`<option>${name}</option>`)}</select></label>`
          }
          ${
            view.opened === ''
              ? ''
              : html`<button type="button" class="button small danger" id="remove-saved"
                @click=${removeSaved}>${texts.removeSaved}</button>`
          }
          <label>${texts.loadFile}<input type="file" accept=".yaml,.yml" @change=${openFile}></label>
        </div>
        ${members([], shape, view.value)}
      </section>
      <section class="card check" aria-labelledby="check"><h2 id="check">${texts.run}</h2>
        <label for="name">${texts.name}</label>
        <p class="soft small" id="name-about">${texts.nameAbout}</p>
        <input id="name" aria-describedby="name-about" .value=${view.name} pattern="[a-z0-9][a-z0-9\\-]*"
          maxlength="40" @input=${({ target }) => {
            view.name = target.value
          }}>
        <div role="status">${verdict()}${choiceSummary(choice, texts)}</div>
        ${view.failure ? html`<div class="alert" role="alert">${problemView(view.failure)}</div>` : ''}
        <label class="choice"><input type="checkbox" .checked=${view.isStrict} @change=${({
          target,
        }) => {
          view.isStrict = target.checked
        }}> ${texts.strict}</label>
        <div class="actions">
          <button type="button" class="button" id="connect" ?disabled=${!isValid || view.isConnecting}
            @click=${connect}>${view.isConnecting ? texts.connecting : texts.connect}</button>
          <button type="button" class="button primary" id="start" @click=${run}
            ?disabled=${!isValid || isBusy || view.found === undefined || choice.ids.size === 0}>
            ${isDoubtful ? texts.runAnyway : texts.run}</button>
          <button type="button" class="button quiet" @click=${download}>${texts.download}</button>
        </div>
        <pre tabindex="0" aria-label=${texts.file}>${view.text}</pre>
      </section>
    </div>
    ${choiceCard(choice, { texts, onChange: show })}`,
    place,
  )
}

show()
validate()
