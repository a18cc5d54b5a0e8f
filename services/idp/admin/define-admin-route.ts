import type { Request } from 'express'
import { z } from 'zod'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import { keepLanguage, languageOf } from '#kit/language.ts'
import { seeOther } from '#kit/page.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type AdminSession,
  fieldsOf,
  findAdminSession,
  requireCsrfToken,
  requireOwnOrigin,
} from './admin-session.ts'
import { panelErrorPage } from './panel-page.ts'

interface AdminInput {
  readonly session: AdminSession
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly request: Request
}

interface AdminFormInput extends AdminInput {
  readonly fields: Readonly<Record<string, string | undefined>>
}

/** The definition of a page or of a form's action. */
interface AdminAction<Input> {
  readonly path: string
  readonly summary: string
  readonly documented?: boolean
  handle(input: Input, dependencies: Dependencies): Promise<Reply> | Reply
}

/** Defines a page of the panel for logged-in administrators; redirects others to the login. */
export function defineAdminPage(page: AdminAction<AdminInput>): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'get',
    path: page.path,
    summary: page.summary,
    auth: 'none',
    documented: page.documented ?? false,
    request: { params: zAdminParams, query: z.record(z.string(), z.unknown()) },
    responses: adminResponses,
    handle: ({ params, query, request }, dependencies) =>
      answerAdmin(request, dependencies, async () => {
        const chosen = keepLanguage(request)
        if (chosen) return chosen
        const session = await findAdminSession(request, dependencies)
        if (session === undefined) return seeOther('/admin/login')
        return page.handle({ session, params, query, request }, dependencies)
      }),
  })
}

/** Defines a form's action for logged-in administrators who sent it from a page of the panel. */
export function defineAdminForm(form: AdminAction<AdminFormInput>): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'post',
    path: form.path,
    summary: form.summary,
    auth: 'none',
    documented: false,
    request: { params: zAdminParams, ...formRequest },
    responses: adminResponses,
    handle: ({ params, request }, dependencies) =>
      answerAdmin(request, dependencies, async () => {
        requireOwnOrigin(request, dependencies)
        const session = await findAdminSession(request, dependencies)
        if (session === undefined) return seeOther('/admin/login')
        requireCsrfToken(request, session.id)
        const fields = fieldsOf(request)
        return form.handle({ session, params, query: {}, request, fields }, dependencies)
      }),
  })
}

/** Parameters of a path. */
const zAdminParams = z.record(z.string(), z.string())

/** The responses of every route of the panel. */
const adminResponses = {
  200: { description: 'The page', contentType: 'text/html' },
  303: { description: 'Redirect to another page, or to the login' },
}

/** Responds to a browser: an error becomes a page of the panel. */
export async function answerAdmin(
  request: Request,
  { log }: Pick<Dependencies, 'log'>,
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const error = toTestbedError(thrown)
    const { status, code, message } = error
    if (status >= 500) log.error({ err: error.cause ?? error, code, detail: error.detail }, code)
    return panelErrorPage({ language: languageOf(request), status, code, message })
  }
}

/** Schema and limits of a form's body. */
export const formRequest = {
  contentTypes: ['application/x-www-form-urlencoded'],
  limit: 64 * 1024,
  // The form reports missing and duplicate fields itself, after authenticating its sender.
  body: z.record(z.string(), z.unknown()).default({}),
}
