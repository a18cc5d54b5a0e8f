import { html, type SafeHtml } from '#core/html/html.ts'
import type { ClientForm, FieldProblem } from '../../domain/client.ts'
import { authenticationLabels } from './client-authentication-labels.ts'

/** The fields that the forms of a new and of an old client share. */
export function clientFields(form: ClientForm, problems: readonly FieldProblem[]): SafeHtml {
  return html`${field(
    problems,
    'name',
    'Name, as people see it when they log in',
    html`<input id="name" name="name" value="${form.name}"
  maxlength="100" required ${mark(problems, 'name')}>`,
  )}
${field(
  problems,
  'redirectUris',
  'Redirect URIs, one a line; requests have to match one exactly',
  html`<textarea id="redirectUris" name="redirect_uris" rows="4"
  spellcheck="false" required ${mark(problems, 'redirectUris')}>
${form.redirectUris}</textarea>`,
)}
<fieldset>
<legend>How the client sends its secret</legend>
${Object.entries(authenticationLabels).map(
  ([
    value,
    label,
  ]) => html`<label class="choice"><input type="radio" name="authentication" value="${value}"
  ${value === form.authentication && html`checked`}> ${label}</label>
`,
)}
${problemList(problems, 'authentication')}
</fieldset>`
}

/** A field with its label, and what is wrong with it. */
export function field(
  problems: readonly FieldProblem[],
  name: keyof ClientForm,
  label: string,
  input: SafeHtml,
): SafeHtml {
  return html`<label for="${name}">${label}</label>
${problemList(problems, name)}
${input}`
}

function problemList(problems: readonly FieldProblem[], name: keyof ClientForm): SafeHtml {
  const own = problems.filter((problem) => problem.field === name)
  if (own.length === 0) return html``
  return html`<ul class="problems" id="${name}-problems">${own.map(
    ({ message }) => html`<li>${message}</li>`,
  )}</ul>`
}

/** Attributes that tell of a field’s problems. */
export function mark(problems: readonly FieldProblem[], name: keyof ClientForm): SafeHtml {
  return problems.some(({ field }) => field === name)
    ? html`aria-invalid="true" aria-describedby="${name}-problems"`
    : html``
}
