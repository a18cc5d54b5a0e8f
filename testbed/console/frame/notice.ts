import { z } from 'zod'
import { html, type SafeHtml } from '#core/html/html.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { type Language, languageOf, type Texts } from '#kit/language.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { describeModifications, readModifications, undoModifications } from './modifications.ts'

const english = {
  title: 'This test environment is modified.',
  undo: 'Undo',
  silent: 'No connection to the testbed. This page shows the last known state.',
  /** After the session has ended, and the browser has a new one. */
  reopened: 'The console was opened again. This page shows an earlier state.',
  reload: 'Reload',
}

const texts: Texts<typeof english> = {
  en: english,
  es: {
    title: 'Este entorno de pruebas está modificado.',
    undo: 'Deshacer',
    silent: 'Sin conexión con el banco de pruebas. Esta página muestra el último estado conocido.',
    reopened: 'La consola se ha vuelto a abrir. Esta página muestra un estado anterior.',
    reload: 'Recargar',
  },
}

/** Sentences about what is modified now. */
export async function readNotice(
  language: Language,
  dependencies: ConsoleDependencies,
): Promise<string[]> {
  const modifications = await readModifications(dependencies)
  return describeModifications(language, modifications, dependencies.environments.size)
}

/**
 * The notice above the content of every page: what is modified, and a button that undoes all of it.
 * `notice.js` keeps it up to date.
 */
export function renderNotice(language: Language, sentences: readonly string[]): SafeHtml {
  const data = JSON.stringify({ ...texts[language], sentences })
  const { title, undo } = texts[language]
  return html`<div id="notice" role="status" data-notice="${data}">${
    sentences.length > 0 &&
    html`<div class="warning notice">
<p><strong>${title}</strong> ${sentences.join(' ')}</p>
<form data-call="POST /console/undo"><button class="button small">${undo}</button></form>
</div>`
  }</div>`
}

const readModified = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/notice',
  summary: 'What is modified in the test environment, in the language of the browser',
  auth: 'control',
  documented: false,
  responses: {
    200: { description: 'Sentences', body: z.object({ sentences: z.array(z.string()) }) },
  },
  async handle({ request }, dependencies) {
    const sentences = await readNotice(languageOf(request), dependencies)
    return { status: 200, body: { sentences } }
  },
})

const undoModified = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/undo',
  summary: 'Undo every modification of the test environment',
  auth: 'control',
  documented: false,
  responses: { 204: { description: 'Nothing is modified any more' } },
  async handle(_input, dependencies) {
    await undoModifications(dependencies)
    return { status: 204 }
  },
})

export const noticeRoutes: readonly AnyRoute<ConsoleDependencies>[] = [readModified, undoModified]
